import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { here } from "../../core/address.js";
import { call } from "../../core/call.js";
import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { beginSignIn, leaveForProvider } from "../../core/signing-in.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Icon } from "../../parts/icon.js";
import { PageHead } from "../../parts/page-head.js";
import { SectorName } from "../../parts/sector.js";
import { Loaded, Note } from "../../parts/states.js";
import { AtHome } from "./at-home.js";
import { OwnApp } from "./own-app.js";
import { PastedReturn } from "./pasted-return.js";
import { EndsThere } from "./revocation.js";

/** @typedef {{ provider: any, signInId: string | null, changed: () => void }} SignInProps `changed` has the provider read again */

/** Signs in at a provider, or again: what it asks, the operator's app there, and the way there. @param {{ provider: any, changed: () => void }} props */
export function SignIn({ provider, changed }) {
  const again = here.value.query.get("again");
  if (again) return html`<${Again} provider=${provider} signInId=${again} changed=${changed} />`;
  return html`<${Head} title=${provider.name} about=${`A source that fills ${listed(provider.sectors)}.`} /><${Way} provider=${provider} signInId=${null} changed=${changed} />`;
}

/** @param {SignInProps & { signInId: string }} props */
function Again({ provider, signInId, changed }) {
  const signIn = useResource((signal) => call("GET /api/signins/{id}", { path: { id: signInId }, signal }), [signInId]);
  return html`
    <${Head} title=${`Sign in to ${provider.name} again`} about="The connections of the sign-in go on, with their rows." />
    <${Loaded} of=${signIn} what="the sign-in">${(/** @type {any} */ found) => html`
      <${Note}>Sign in there with the same account${found.account?.includes("@") && html`, <bdi>${found.account}</bdi>`}.<//>
      <${Way} provider=${provider} signInId=${signInId} changed=${changed} />`}<//>
  `;
}

/** @param {{ title: string, about: string }} props */
function Head({ title, about }) {
  return html`<${PageHead} title=${title} about=${about}><${ButtonLink} href="/connections/new">Show all sources<//><//>`;
}

/** @param {SignInProps} props */
function Way({ provider, signInId, changed }) {
  return html`<${AtHome} name=${provider.name}>
    <${Asks} provider=${provider} />
    <${OwnApp} provider=${provider} changed=${changed} />
    <${Leave} provider=${provider} signInId=${signInId} />
    <${EndsThere} how=${provider.revocation} />
  <//>`;
}

/** @param {{ provider: any }} props */
function Asks({ provider }) {
  return html`<section class="card" aria-labelledby="asks-head">
    <h2 id="asks-head">What ${provider.name} will ask you</h2>
    <ul class="asks">${provider.asks.map((/** @type {any} */ ask) => html`<li key=${ask.title}>${ask.sector ? html`<${SectorName} name=${ask.sector} />` : html`<span class="sector muted"><${Icon} name="user-round" /></span>`}<span>${ask.title}</span></li>`)}</ul>
    <p class="muted">Each sector that you grant there becomes a connection. Nothing is asked for that could change anything.</p>
  </section>`;
}

/** The way there, in this tab; in another one where the provider does not send the browser back. @param {{ provider: any, signInId: string | null }} props */
function Leave({ provider, signInId }) {
  const [url, setUrl] = useState(/** @type {string | null} */ (null));
  const acts = useRef(/** @type {HTMLElement | null} */ (null));
  const wasMissing = useRef(!provider.appConfigured);
  // The form of the app is gone when it was saved: the focus goes to what can be done next.
  useEffect(() => {
    if (provider.appConfigured && wasMissing.current) acts.current?.querySelector("button")?.focus();
    wasMissing.current = !provider.appConfigured;
  }, [provider.appConfigured]);
  const isPasted = provider.returnWay === "paste";
  const begin = async () => (isPasted ? setUrl(await beginSignIn(provider.id, signInId)) : leaveForProvider(provider.id, signInId));
  if (url) return html`<${PastedReturn} key=${url} provider=${provider} url=${url} anew=${begin} />`;
  const told = isPasted ? `${provider.name} asks you in another tab, and you bring an address back.` : `${provider.name} asks you, and sends you back here.`;
  return html`<div class="acts" ref=${acts}>
    <${Button} act=${begin} icon="key-round" variant="primary" disabled=${!provider.appConfigured}>Sign in<//>
    <span class="muted">${provider.appConfigured ? told : "Enter the app first."}</span>
  </div>`;
}
