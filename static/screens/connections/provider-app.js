// The operator's own app at a provider: what the provider knows this service by.

import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { CopyLine } from "../../parts/code.js";
import { Note } from "../../parts/states.js";
import { useCredential } from "./credential-form.js";
import { ProviderFields } from "./provider-fields.js";

/** What the provider shows when the app is registered there. @type {import("./provider-fields.js").ProviderField[]} */
const FIELDS = [
  { name: "clientId", label: "Client id", kind: "text", optional: false, help: "" },
  { name: "clientSecret", label: "Client secret", kind: "secret", optional: false, help: "Kept encrypted. It is not shown again." },
];

/** The state of a form in which an app is entered. @param {string} provider @param {() => void} done */
export function useProviderApp(provider, done) {
  return useCredential(FIELDS, async (entered) => {
    await call("PUT /api/oauth-apps/{provider}", { path: { provider }, body: /** @type {any} */ (entered) });
    done();
  });
}

/** Its fields, and what is wrong with the whole. @param {{ app: ReturnType<typeof useProviderApp> }} props */
export function AppFields({ app: { values, fault, banner, isTrying, set } }) {
  return html`
    <${ProviderFields} fields=${FIELDS} values=${values} fault=${fault} set=${set} isHeld=${isTrying} />
    ${banner && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${banner}</span><//>`}
  `;
}

/** Where the provider is to send the browser back; it compares letter by letter. @param {{ address: string }} props */
export function RedirectAddress({ address }) {
  return html`<div class="field"><span class="label">Redirect address, to be registered exactly so</span><${CopyLine} text=${address} what="redirect address" /></div>`;
}
