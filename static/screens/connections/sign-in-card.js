import { useState } from "../../vendor/hooks.js";
import { call, sentence } from "../../core/call.js";
import { counted, listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { providerName } from "../../core/providers.js";
import { useResource } from "../../core/resource.js";
import { isSignedInThere, signInAgain } from "../../core/signing-in.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { SectorName } from "../../parts/sector.js";
import { Loaded, Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { CredentialDialog } from "./credential-dialog.js";
import { EndsThere, endsAt, sayEnded } from "./revocation.js";

/** The sign-in behind a connection: whose it is, and what else hangs on it. @param {{ id: string, current: string, changed: () => void }} props `current` is the connection shown */
export function SignInCard({ id, current, changed }) {
  const signIn = useResource((signal) => call("GET /api/signins/{id}", { path: { id }, signal }), [id], { on: ["connection"] });
  const again = () => {
    signIn.reload();
    changed();
  };
  return html`<section class="card" aria-labelledby="sign-in-head"><header><h2 id="sign-in-head">Sign-in</h2></header>
    <${Loaded} of=${signIn} what="the sign-in">${(/** @type {any} */ found) => html`<${Facts} signIn=${found} current=${current} /><${Acts} signIn=${found} changed=${again} />`}<//>
  </section>`;
}

/** @param {{ signIn: any, current: string }} props */
function Facts({ signIn, current }) {
  return html`
    <dl class="pairs">
      <div><dt>Account</dt><dd><bdi>${signIn.account}</bdi></dd></div>
      <div><dt>Source</dt><dd>${signIn.name ?? providerName(signIn.provider)}</dd></div>
      <div><dt>Since</dt><dd><${Time} at=${signIn.createdAt} /></dd></div>
      ${signIn.expiresAt && html`<div><dt>Ends</dt><dd><${Time} at=${signIn.expiresAt} /></dd></div>`}
      ${signIn.revokedAt && html`<div><dt>Revoked</dt><dd><${Time} at=${signIn.revokedAt} /></dd></div>`}
      ${signIn.missing.length > 0 && html`<div><dt>Not granted</dt><dd>${listed(signIn.missing.map((/** @type {any} */ each) => each.title))}. ${signIn.addHint}</dd></div>`}
      <div><dt>Connections</dt><dd><ul class="sign-in-connections">${signIn.connections.map((/** @type {any} */ each) => html`<li key=${each.id}>
        <${SectorName} name=${each.sector} /> ${each.id === current ? html`<span class="muted">this one</span>` : html`<a href=${`/connections/${each.id}`}><bdi>${each.label}</bdi></a>`}
      </li>`)}</ul></dd></div>
    </dl>
    ${signIn.problem?.message && html`<${Note} icon="triangle-alert" kind="bad"><bdi>${sentence(signIn.problem.message)}</bdi><//>`}
  `;
}

/** @param {{ signIn: any, changed: () => void }} props */
function Acts({ signIn, changed }) {
  const [asks, setAsks] = useState(/** @type {"renew" | "revoke" | null} */ (null));
  const close = () => setAsks(null);
  const isThere = isSignedInThere(signIn);
  const renew = () => (isThere ? signInAgain(signIn.provider, signIn.id) : setAsks("renew"));
  return html`<div class="acts">
    <${Button} act=${renew} icon="key-round" size="sm">${isThere ? "Sign in again" : "Change credential"}<//>
    ${!signIn.revokedAt && html`<${Button} act=${() => setAsks("revoke")} icon="ban" size="sm" variant="ghost">Revoke credential<//>`}
    ${asks === "renew" && html`<${CredentialDialog} signInId=${signIn.id} provider=${signIn.provider} account=${signIn.account} close=${close} done=${changed} />`}
    ${asks === "revoke" && html`<${Revoke} signIn=${signIn} close=${close} done=${changed} />`}
  </div>`;
}

/** @param {{ signIn: any, close: () => void, done: () => void }} props */
function Revoke({ signIn, close, done }) {
  const many = signIn.connections.length;
  const ends = isSignedInThere(signIn) ? ` ${endsAt(signIn.name)}` : "";
  const about = `${counted(many, "connection")} ${many === 1 ? "stops" : "stop"} at once: ${listed(signIn.connections.map((/** @type {any} */ each) => `${each.label} (${each.sector})`))}. The credential is deleted here.${ends} Rows stay, and agents still read them.`;
  const revoke = async () => {
    const { consent } = await call("POST /api/signins/{id}/revoke", { path: { id: signIn.id } });
    sayEnded(`Revoked the credential of ${signIn.account}. ${counted(many, "connection")} stopped.`, consent);
    done();
  };
  return html`<${Confirm} title=${`Revoke the credential of ${signIn.account}?`} about=${about} verb="Revoke credential" act=${revoke} close=${close}>
    <${EndsThere} how=${signIn.revocation} />
  <//>`;
}
