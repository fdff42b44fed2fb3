import { useEffect, useState } from "../../vendor/hooks.js";
import { here } from "../../core/address.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { homeAddress, isAtHome, moveHome } from "../../core/signing-in.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Field } from "../../parts/field.js";
import { PageHead } from "../../parts/page-head.js";
import { Empty, Loaded, Note } from "../../parts/states.js";
import { EndsThere } from "./revocation.js";

/** Banks that are shown at once; the person narrows them by name. */
const SHOWN_MAX = 30;
/** Where the country is kept that was chosen last. */
const COUNTRY = "sextant.country";

/** Links a bank at an aggregator: the country, the bank, and the way there. @param {{ provider: any }} props */
export function LinkBank({ provider }) {
  const again = here.value.query.get("again");
  const isAway = !isAtHome();
  useEffect(() => {
    if (isAway) moveHome();
  }, [isAway]);
  const about = again ? "The bank's connection goes on, with its rows." : "Each bank that you link becomes a connection.";
  return html`
    <${PageHead} title=${again ? "Link the bank again" : provider.name} about=${about}><${ButtonLink} href="/connections/new">Show all sources<//><//>
    ${isAway && html`<${Note}>The bank sends the browser back to localhost. Open this page at <a href=${homeAddress().href}>${homeAddress().host}</a>.<//>`}
    ${provider.appConfigured ? !isAway && html`<${Choice} provider=${provider} signInId=${again} />` : html`<${WithoutApp} provider=${provider} />`}
    <${EndsThere} how=${provider.revocation} />
  `;
}

/** @param {{ provider: any }} props */
function WithoutApp({ provider }) {
  const act = html`<${ButtonLink} href="/settings/providers" variant="primary">Enter the application<//>`;
  return html`<${Empty} icon="key-round" title="It needs an application of your own" act=${act}>${provider.appHelp}<//>`;
}

/** @param {{ provider: any, signInId: string | null }} props */
function Choice({ provider, signInId }) {
  const [country, setCountry] = useState(localStorage.getItem(COUNTRY) ?? "");
  const [name, setName] = useState("");
  const isCountry = /^[a-z]{2}$/i.test(country.trim());
  const type = (/** @type {any} */ event) => setCountry(event.currentTarget.value);
  return html`<div class="stack connect-form">
    <${Field} label="Country" help="Two letters, as DE.">${(/** @type {any} */ ids) => html`<input ...${ids} class="input" name="country" maxlength="2" autocomplete="country" value=${country} onInput=${type} />`}<//>
    ${isCountry && html`<${Banks} key=${country.trim().toUpperCase()} provider=${provider} country=${country.trim().toUpperCase()} name=${name} setName=${setName} signInId=${signInId} />`}
  </div>`;
}

/** @param {{ provider: any, country: string, name: string, setName: (name: string) => void, signInId: string | null }} props */
function Banks({ provider, country, name, setName, signInId }) {
  const path = { provider: provider.id };
  const all = useResource((signal) => call("GET /api/aggregator-apps/{provider}/banks", { path, query: { country }, signal }), [country]);
  const type = (/** @type {any} */ event) => setName(event.currentTarget.value);
  return html`
    <${Field} label="Bank">${(/** @type {any} */ ids) => html`<input ...${ids} class="input" type="search" name="bank" value=${name} onInput=${type} />`}<//>
    <${Loaded} of=${all} what="the banks" lines=${6}>${(/** @type {any} */ answer) => html`<${Found} provider=${provider} banks=${named(answer.banks, name)} signInId=${signInId} />`}<//>
  `;
}

/** Those whose name has all words. @param {any[]} banks @param {string} name */
function named(banks, name) {
  const words = name.toLowerCase().split(/\s+/).filter(Boolean);
  return banks.filter((bank) => words.every((word) => bank.name.toLowerCase().includes(word)));
}

/** @param {{ provider: any, banks: any[], signInId: string | null }} props */
function Found({ provider, banks, signInId }) {
  if (banks.length === 0) return html`<${Note}>No bank has such a name.<//>`;
  const more = banks.length - SHOWN_MAX;
  return html`<ul class="connection-list" aria-label="Banks">
    ${banks.slice(0, SHOWN_MAX).map((bank) => html`<li key=${bank.name} class="card row">
      <span><bdi>${bank.name}</bdi> <span class="muted">${consentOf(bank)}</span></span>
      <${Button} act=${() => leaveForBank(provider, bank, signInId)} icon="link" size="sm" label=${`Link ${bank.name}`}>Link<//>
    </li>`)}
  </ul>
  ${more > 0 && html`<p class="muted">${counted(more, "more bank")}: type a part of its name.</p>`}`;
}

/** @param {any} bank */
function consentOf(bank) {
  return `consent for up to ${counted(bank.consentDays, "day")}${bank.beta ? ", not tried much yet" : ""}`;
}

/** Leaves for the bank's page, in this tab. @param {any} provider @param {any} bank @param {string | null} signInId */
async function leaveForBank(provider, bank, signInId) {
  localStorage.setItem(COUNTRY, bank.country);
  const body = { country: bank.country, bank: bank.name, business: !bank.personal, signInId };
  const { url } = await call("POST /api/aggregator-apps/{provider}/link", { path: { provider: provider.id }, body });
  location.assign(url);
  await new Promise((back) => addEventListener("pageshow", back, { once: true }));
}
