import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { Field } from "../../parts/field.js";
import { Loaded, Note } from "../../parts/states.js";

/** Banks that are shown at once; the person narrows them by name. */
const SHOWN_MAX = 30;
/** Where the country is kept that was chosen last. */
const COUNTRY = "sextant.country";

/** @typedef {{ country?: string, bank?: string, business?: boolean, signInId?: string | null }} WantedBank a bank by its names, or the sign-in whose bank is linked again */
/** @typedef {(wanted: WantedBank) => Promise<void>} LinkOne */

/** A bank, by its country and name. @param {{ provider: any, link: LinkOne }} props */
export function BankChoice({ provider, link }) {
  const [typed, setTyped] = useState(localStorage.getItem(COUNTRY) ?? "");
  const country = typed.trim().toUpperCase();
  const type = (/** @type {any} */ event) => setTyped(event.currentTarget.value);
  return html`<section class="card" aria-labelledby="bank-head">
    <h2 id="bank-head">Your bank</h2>
    <${Field} label="Country" help="Two letters, such as DE.">${(/** @type {any} */ ids) => html`<input ...${ids} class="input" name="country" maxlength="2" autocapitalize="characters" autocomplete="country" spellcheck=${false} value=${typed} onInput=${type} />`}<//>
    ${/^[A-Z]{2}$/.test(country) && html`<${Banks} key=${country} provider=${provider} country=${country} link=${link} />`}
  </section>`;
}

/** @param {{ provider: any, country: string, link: LinkOne }} props */
function Banks({ provider, country, link }) {
  const [name, setName] = useState("");
  const path = { provider: provider.id };
  const banks = useResource((signal) => call("GET /api/aggregator-apps/{provider}/banks", { path, query: { country }, signal }), [country]);
  const type = (/** @type {any} */ event) => setName(event.currentTarget.value);
  return html`
    <${Field} label="Name of the bank">${(/** @type {any} */ ids) => html`<input ...${ids} class="input" type="search" name="bank" autocomplete="off" value=${name} onInput=${type} />`}<//>
    <${Loaded} of=${banks} what="the banks" lines=${6}>${(/** @type {any} */ answer) => html`<${Found} banks=${named(answer.banks, name)} link=${link} />`}<//>
  `;
}

/** Those whose name has all words. @param {any[]} banks @param {string} name */
function named(banks, name) {
  const words = name.toLowerCase().split(/\s+/).filter(Boolean);
  return banks.filter((bank) => words.every((word) => bank.name.toLowerCase().includes(word)));
}

/** @param {{ banks: any[], link: LinkOne }} props */
function Found({ banks, link }) {
  if (banks.length === 0) return html`<${Note}>No bank of that country has such a name.<//>`;
  const more = banks.length - SHOWN_MAX;
  const linkOne = (/** @type {any} */ bank) => {
    localStorage.setItem(COUNTRY, bank.country);
    return link({ country: bank.country, bank: bank.name, business: !bank.personal });
  };
  return html`<ul class="bank-list" aria-label="Banks">
    ${banks.slice(0, SHOWN_MAX).map((bank) => html`<li key=${bank.name}>
      <span><bdi>${bank.name}</bdi> <span class="muted">${consentOf(bank)}</span></span>
      <${Button} act=${() => linkOne(bank)} icon="link" size="sm" label=${`Link ${bank.name}`}>Link<//>
    </li>`)}
  </ul>
  ${more > 0 && html`<p class="muted">${counted(more, "more bank")}: type a part of its name.</p>`}`;
}

/** @param {any} bank */
function consentOf(bank) {
  return `consent for up to ${counted(bank.consentDays, "day")}${bank.beta ? ", not tried much yet" : ""}`;
}
