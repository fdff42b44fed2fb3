import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { readProviders } from "../../core/providers.js";
import { useResource } from "../../core/resource.js";
import { isLinked, isSignedInThere } from "../../core/signing-in.js";
import { ButtonLink } from "../../parts/button.js";
import { Icon } from "../../parts/icon.js";
import { PageHead } from "../../parts/page-head.js";
import { SectorName } from "../../parts/sector.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Connected } from "./connected.js";
import { useCredential } from "./credential-form.js";
import { LabelField } from "./label-field.js";
import { LinkBank } from "./link-bank.js";
import { ProviderFields } from "./provider-fields.js";
import { EndsThere } from "./revocation.js";
import { SignIn } from "./sign-in.js";

/** Connects one source: its form, then what became of it. @param {{ provider: string }} props */
export function Connect({ provider }) {
  const known = useResource((signal) => readProviders(signal), []);
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const [kept, keep] = useState(/** @type {Record<string, string>} */ ({}));
  return html`<${Loaded} of=${known} what="the source" lines=${6}>${(/** @type {any[]} */ all) => {
    const found = all.find(({ id, method }) => id === provider && method !== "push");
    if (!found) return html`<${Unknown} />`;
    if (isLinked(found)) return html`<${LinkBank} provider=${found} changed=${known.reload} />`;
    if (isSignedInThere(found)) return html`<${SignIn} provider=${found} changed=${known.reload} />`;
    return html`
      <${PageHead} title=${found.name} about=${`A source that fills ${listed(found.sectors)}.`}><${ButtonLink} href="/connections/new">Show all sources<//><//>
      ${answer ? html`<${Connected} answer=${answer} again=${() => setAnswer(null)} />` : html`<${Entry} provider=${found} kept=${kept} keep=${keep} done=${setAnswer} />`}
    `;
  }}<//>`;
}

function Unknown() {
  return html`<${PageHead} title="Connect a source" /><${Empty} icon="plug" title="There is no such source" act=${html`<${ButtonLink} href="/connections/new">Show all sources<//>`}>Another version of the service may have it.<//>`;
}

/** @param {{ provider: any, kept: Record<string, string>, keep: (values: Record<string, string>) => void, done: (answer: any) => void }} props `kept` was entered before */
function Entry({ provider, kept, keep, done }) {
  const [ticked, setTicked] = useState(/** @type {string[]} */ (provider.sectors));
  const { form, values, fault, banner, isTrying, set, submit } = useCredential(provider.fields, async (credentials) => {
    const label = values.label?.trim() || null;
    const answer = await call("POST /api/connections", { body: /** @type {any} */ ({ provider: provider.id, credentials, sectors: ticked, label }) });
    keep(withoutSecrets(provider.fields, values));
    done(answer);
  }, { kept, others: ["label"] });
  const tick = (/** @type {string} */ sector) => (/** @type {any} */ event) => setTicked(provider.sectors.filter((/** @type {string} */ each) => (each === sector ? event.currentTarget.checked : ticked.includes(each))));
  return html`<form ref=${form} class="card connect-form" novalidate aria-busy=${isTrying} onSubmit=${submit}>
    <${ProviderFields} fields=${provider.fields} values=${values} fault=${fault} set=${set} isHeld=${isTrying} />
    <${LabelField} value=${values.label ?? ""} placeholder=${provider.name} fault=${fault} set=${set} isHeld=${isTrying} />
    ${provider.sectors.length > 1 && html`<fieldset class="fieldset"><legend class="label">What to read</legend>
      <div class="row">${provider.sectors.map((/** @type {string} */ sector) => html`<label key=${sector} class="tick"><input type="checkbox" class="input" checked=${ticked.includes(sector)} disabled=${isTrying} onChange=${tick(sector)} /><${SectorName} name=${sector} /></label>`)}</div>
    </fieldset>`}
    ${banner && html`<div class="alert" data-variant="destructive" role="alert"><${Icon} name="triangle-alert" /><h2>Not connected</h2><section><p>${banner}</p></section></div>`}
    <div class="acts">
      <button type="submit" class="btn" data-variant="primary" aria-busy=${isTrying} disabled=${ticked.length === 0}><${Icon} name="plug" />Connect</button>
      <span role="status" class="muted">${isTrying ? `Trying it at ${provider.name}…` : ticked.length === 0 ? "Tick at least one sector." : ""}</span>
    </div>
    <${EndsThere} how=${provider.revocation} />
  </form>`;
}

/** What may stay on the page. @param {import("./provider-fields.js").ProviderField[]} fields @param {Record<string, string>} values */
function withoutSecrets(fields, values) {
  const isSecret = (/** @type {string} */ name) => fields.some((field) => field.name === name && field.kind === "secret");
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isSecret(name)));
}
