// The operator's own app at a provider: what the provider knows this service by.

import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { CopyLine } from "../../parts/code.js";
import { Note } from "../../parts/states.js";
import { useCredential } from "./credential-form.js";
import { ProviderFields } from "./provider-fields.js";

/** @typedef {"oauth" | "link"} AppMethod what an app lets in: a person who signs in, or banks that are linked */
/** @typedef {import("./provider-fields.js").ProviderField[]} ProviderFieldList */

/** What the provider shows when the app is registered there. @type {Record<AppMethod, ProviderFieldList>} */
const FIELDS = {
  oauth: [
    { name: "clientId", label: "Client id", kind: "text", optional: false, help: "" },
    { name: "clientSecret", label: "Client secret", kind: "secret", optional: false, help: "Kept encrypted. It is not shown again." },
  ],
  link: [
    { name: "clientId", label: "Application id", kind: "text", optional: false, help: "" },
    { name: "clientSecret", label: "Private key", kind: "key", optional: false, help: "The whole .pem file that you were given. Kept encrypted. It is not shown again." },
  ],
};

/** The state of a form in which an app is entered. @param {{ id: string, method: AppMethod }} provider @param {() => void} done */
export function useProviderApp({ id, method }, done) {
  const path = { provider: id };
  const form = useCredential(FIELDS[method], async (entered) => {
    const body = /** @type {any} */ (entered);
    if (method === "link") await call("PUT /api/aggregator-apps/{provider}", { path, body });
    else await call("PUT /api/oauth-apps/{provider}", { path, body });
    done();
  });
  return { ...form, fields: FIELDS[method] };
}

/** Removes it. @param {{ id: string, method: AppMethod }} provider */
export async function removeProviderApp({ id, method }) {
  const path = { provider: id };
  if (method === "link") await call("DELETE /api/aggregator-apps/{provider}", { path });
  else await call("DELETE /api/oauth-apps/{provider}", { path });
}

/** Its fields, and what is wrong with the whole. @param {{ app: ReturnType<typeof useProviderApp> }} props */
export function AppFields({ app: { fields, values, fault, banner, isTrying, set } }) {
  return html`
    <${ProviderFields} fields=${fields} values=${values} fault=${fault} set=${set} isHeld=${isTrying} />
    ${banner && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${banner}</span><//>`}
  `;
}

/** Where the provider is to send the browser back; it compares letter by letter. @param {{ app: { redirectUri: string, pastedRedirectUri?: string | null } }} props */
export function RedirectAddresses({ app: { redirectUri, pastedRedirectUri } }) {
  return html`
    <${RedirectAddress} address=${redirectUri} label="Redirect address, to be registered exactly so" />
    ${pastedRedirectUri && html`<${RedirectAddress} address=${pastedRedirectUri} label="Or this one, where it takes https alone: you bring the address back by hand then" />`}
  `;
}

/** @param {{ address: string, label: string }} props */
function RedirectAddress({ address, label }) {
  return html`<div class="field"><span class="label">${label}</span><${CopyLine} text=${address} what="redirect address" /></div>`;
}
