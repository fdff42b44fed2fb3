import { useState } from "../../vendor/hooks.js";
import { here } from "../../core/address.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { Loaded } from "../../parts/states.js";
import { AtHome } from "./at-home.js";
import { BankChoice } from "./bank-choice.js";
import { OwnApp } from "./own-app.js";
import { PastedReturn } from "./pasted-return.js";
import { EndsThere } from "./revocation.js";

/** @typedef {import("./bank-choice.js").WantedBank} WantedBank */

/** Links a bank at an aggregator, or one that was linked before again. @param {{ provider: any, changed: () => void }} props `changed` has the provider read again */
export function LinkBank({ provider, changed }) {
  const again = here.value.query.get("again");
  return again ? html`<${Again} provider=${provider} signInId=${again} changed=${changed} />` : html`
    <${Head} title=${provider.name} about="Each bank that you link becomes a connection." />
    <${Way} provider=${provider} changed=${changed}>${(/** @type {any} */ link) => html`<${BankChoice} provider=${provider} link=${link} />`}<//>
  `;
}

/** @param {{ provider: any, signInId: string, changed: () => void }} props */
function Again({ provider, signInId, changed }) {
  const signIn = useResource((signal) => call("GET /api/signins/{id}", { path: { id: signInId }, signal }), [signInId]);
  return html`
    <${Head} title="Link the bank again" about="Its connection goes on, with its rows." />
    <${Loaded} of=${signIn} what="the sign-in">${(/** @type {any} */ found) => html`<${Way} provider=${provider} changed=${changed}>${(/** @type {any} */ link) =>
      found.revokedAt
        ? html`<${BankChoice} provider=${provider} link=${(/** @type {WantedBank} */ bank) => link({ ...bank, signInId })} />`
        : html`<div class="acts"><${Button} act=${() => link({ signInId })} icon="link" variant="primary">Go to ${found.account}<//></div>`}<//>`}<//>
  `;
}

/** @param {{ title: string, about: string }} props */
function Head({ title, about }) {
  return html`<${PageHead} title=${title} about=${about}><${ButtonLink} href="/connections/new">Show all sources<//><//>`;
}

/**
 * The operator's application, and then how a bank is linked: `children` is given what links one. Where nothing answers at the address that
 * the application has, the bank's page opens in another tab.
 *
 * @param {{ provider: any, changed: () => void, children: any }} props
 */
function Way({ provider, changed, children }) {
  const [begun, setBegun] = useState(/** @type {{ url: string, redirectUri: string, wanted: WantedBank } | null} */ (null));
  const link = async (/** @type {WantedBank} */ wanted) => {
    const { url, returnWay, redirectUri } = await call("POST /api/aggregator-apps/{provider}/link", { path: { provider: provider.id }, body: /** @type {any} */ (wanted) });
    if (returnWay === "paste") setBegun({ url, redirectUri, wanted });
    else await leave(url);
  };
  const way = begun ? html`<${PastedReturn} key=${begun.url} provider=${{ ...provider, name: "the bank", redirectUri: begun.redirectUri }} url=${begun.url} anew=${() => link(begun.wanted)} />` : children(link);
  return html`<${AtHome} name=${provider.name}>
    <${OwnApp} provider=${provider} changed=${changed} />
    ${provider.appConfigured && way}
    <${EndsThere} how=${provider.revocation} />
  <//>`;
}

/** Leaves for a bank's page, in this tab. @param {string} url */
async function leave(url) {
  location.assign(url);
  // What was pressed stays busy until the browser has left, and is free again if it comes back to this very page.
  await new Promise((back) => addEventListener("pageshow", back, { once: true }));
}
