import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone, sayFailed } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { Loaded, Note } from "../../parts/states.js";
import { Switch } from "../../parts/switch.js";

/** What agents with `home` may act on, by domain; saved at once. @param {{ id: string }} props */
export function ActionDomains({ id }) {
  const domains = useResource((signal) => call("GET /api/connections/{id}/action-domains", { path: { id }, signal }), [id]);
  return html`<section class="card" aria-labelledby="domains-head"><header><h2 id="domains-head">What agents may act on</h2></header>
    <p class="muted">An agent that holds home can switch what stands here as on. Locks, alarms, doors and whatever runs scripts are off unless you turn them on.</p>
    <${Loaded} of=${domains} what="the domains">${(/** @type {any} */ found) => html`<${Switches} id=${id} found=${found} show=${domains.set} reload=${domains.reload} />`}<//>
  </section>`;
}

/** @param {{ id: string, found: any, show: (found: any) => void, reload: () => void }} props */
function Switches({ id, found, show, reload }) {
  const [isSaving, setSaving] = useState(false);
  const set = async (/** @type {any} */ domain, /** @type {boolean} */ isOn) => {
    if (isSaving) return;
    setSaving(true);
    try {
      const others = found.domains.filter((/** @type {any} */ each) => !each.isOffered && each.domain !== domain.domain);
      const leftOut = [...others, ...(isOn ? [] : [domain])].map((each) => each.domain);
      // All of them are sent each time: what is switched next goes by what is stored now.
      show(await call("POST /api/connections/{id}/action-domains", { path: { id }, body: { leftOut } }));
      sayDone(isOn ? `Saved. Agents can act on ${domain.domain} now.` : `Saved. No agent can act on ${domain.domain} any more.`);
    } catch (error) {
      sayFailed(error);
      reload();
    } finally {
      setSaving(false);
    }
  };
  const isPresent = (/** @type {any} */ each) => found.domains.some((/** @type {any} */ one) => one.entities > 0 && one.domain === wholeOf(each.domain));
  const present = found.domains.filter(isPresent);
  const absent = found.domains.filter((/** @type {any} */ each) => !isPresent(each));
  const group = (/** @type {any[]} */ domains, /** @type {string} */ name) => html`<div class="switches" role="group" aria-label=${name} aria-busy=${isSaving}>
    ${domains.map((each) => html`<${Switch} key=${each.domain} label=${html`<bdi>${each.domain}</bdi>`} isOn=${each.isOffered} disabled=${isSaving} change=${(/** @type {boolean} */ isOn) => set(each, isOn)}>
      <small>${whatOf(each)}</small>
    <//>`)}
  </div>`;
  return html`
    ${present.length > 0 ? group(present, "Domains that agents may act on") : html`<${Note}>Its entities are not here yet.<//>`}
    ${absent.length > 0 && html`<details class="more-domains"><summary>${counted(absent.length, "more domain")} without an entity here</summary>${group(absent, "Domains without an entity here")}</details>`}
    ${found.domains.some((/** @type {any} */ each) => each.isOffered && !each.isOfferedByDefault) && html`<${Note} icon="triangle-alert" kind="warn">Something is on that can open the house or run anything at all.<//>`}
  `;
}

/** The domain that a class of entities is of: `cover` of `cover.garage`. @param {string} domain */
function wholeOf(domain) {
  return domain.replace(/[.].*/, "");
}

/** Entities of a class are counted with their domain. @param {any} domain */
function whatOf({ domain, entities }) {
  if (domain.includes(".")) return `those of ${wholeOf(domain)} that are a ${domain.slice(domain.indexOf(".") + 1)}`;
  return entities > 0 ? counted(entities, "entity", "entities") : "none here";
}
