import { useState } from "../../vendor/hooks.js";
import { go, here } from "../../core/address.js";
import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { readProviders } from "../../core/providers.js";
import { useResource } from "../../core/resource.js";
import { SECTORS } from "../../core/sectors.js";
import { isLinked, isSignedInThere } from "../../core/signing-in.js";
import { ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { SectorName } from "../../parts/sector.js";
import { Loaded, Note } from "../../parts/states.js";
import { NewConnection } from "./new-connection.js";
import { PushSecret } from "./push-secret.js";

/** The sources there are, by the sectors they fill. The form for pushes opens over it, under an address of its own. */
export function Catalogue() {
  const providers = useResource((signal) => readProviders(signal), []);
  const [made, setMade] = useState(/** @type {any} */ (null));
  const back = () => go("/connections/new", { replace: true, keepScroll: true });
  const done = (/** @type {any} */ answer) => {
    setMade({ connection: answer.connections[0], secret: answer.secret, ingestUrl: answer.ingestUrl });
    back();
  };
  const leave = () => go(`/connections/${made.connection.id}`);
  return html`
    <${PageHead} title="Connect a source" about="What a source is asked for is tried there before it is stored, and kept encrypted.">
      <${ButtonLink} href="/connections">Show connections<//>
    <//>
    <${Loaded} of=${providers} what="the sources" lines=${6}>${(/** @type {any[]} */ all) => html`<${Groups} providers=${all} />`}<//>
    ${here.value.path === "/connections/new/push" && html`<${NewConnection} close=${back} done=${done} />`}
    ${made && html`<${PushSecret} made=${made} close=${leave} />`}
  `;
}

/** @param {{ providers: any[] }} props */
function Groups({ providers }) {
  const read = providers.filter(({ method }) => method !== "push");
  const groups = groupsOf(read);
  const without = SECTORS.filter((sector) => !read.some(({ sectors }) => sectors.includes(sector)));
  return html`
    ${groups.map(([name, sources]) => html`<section key=${name} class="stack" aria-label=${name}>
      <h2 class="row">${name.split(" ").map((sector) => html`<${SectorName} key=${sector} name=${sector} />`)}</h2>
      <ul class="tiles sources">${sources.map((source) => html`<${Tile} key=${source.id} name=${source.name} href=${`/connections/new/${source.id}`} fills=${source.sectors} asks=${asksOf(source)} />`)}</ul>
    </section>`)}
    <section class="stack" aria-label="Any sector">
      <h2>Any sector</h2>
      ${without.length > 0 && html`<${Note}>No source is read for ${listed(without)} yet: bring files, or push.<//>`}
      <ul class="tiles sources">
        <${Tile} name="Push from a device or program" href="/connections/new/push" fills=${[...SECTORS]} asks="It sends records of one table a connection, with a secret of its own that is shown once." />
        <${Tile} name="Files you have" href="/connections/files" fills=${[...SECTORS]} asks="Exports are checked before anything is stored." />
      </ul>
    </section>
  `;
}

/** Sources by what they fill, in the order of the sectors. @param {any[]} providers @returns {[string, any[]][]} */
function groupsOf(providers) {
  const groups = /** @type {Map<string, any[]>} */ (new Map());
  for (const sector of SECTORS) {
    for (const provider of providers.filter(({ sectors }) => SECTORS.find((each) => sectors.includes(each)) === sector)) {
      const name = SECTORS.filter((each) => provider.sectors.includes(each)).join(" ");
      groups.set(name, [...(groups.get(name) ?? []), provider]);
    }
  }
  return [...groups];
}

/** How one signs in, and what is asked for. @param {any} provider */
function asksOf(provider) {
  if (isLinked(provider)) return `You link each bank with an application of your own${provider.appConfigured ? "." : ", which is entered first."}`;
  if (!isSignedInThere(provider)) {
    const labels = (/** @type {boolean} */ optional) => provider.fields.filter((/** @type {any} */ field) => field.optional === optional && field.kind !== "certificate").map((/** @type {any} */ field) => field.label);
    const whichever = labels(true).length > 1 ? `, and for what you have of these: ${listed(labels(true))}` : "";
    return `Asks for ${listed(labels(false))}${whichever}.`;
  }
  const asks = provider.asks.filter((/** @type {any} */ ask) => ask.sector);
  const titles = listed(asks.map((/** @type {any} */ ask) => `“${ask.title}”`));
  return `You sign in at ${provider.name}, which asks you for ${titles}.${provider.appConfigured ? "" : " It needs an app of your own there."}`;
}

/** @param {{ name: string, href: string, fills: string[], asks: string }} props */
function Tile({ name, href, fills, asks }) {
  return html`<li class="card source"><h3><a href=${href}>${name}</a></h3><p>Fills ${fills.length === SECTORS.length ? "any of the six sectors" : listed(fills)}.</p><p class="muted">${asks}</p></li>`;
}
