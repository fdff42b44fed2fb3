import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { sayDone, sayFailed } from "../../core/messages.js";
import { findProvider, providers } from "../../core/providers.js";
import { needsCredential } from "../../core/pulled.js";
import { isSignedInThere, signInAgain } from "../../core/signing-in.js";
import { Button } from "../../parts/button.js";
import { Menu } from "../../parts/menu.js";
import { Disconnect, RestartConnector } from "./acts.js";
import { CredentialDialog } from "./credential-dialog.js";
import { PauseButton } from "./pause-button.js";

/** After this a round that was begun has noted itself, ms. */
const NOTED_MS = 1_000;

/** The acts on a connection that is read from a source. @param {{ connection: any, changed: () => void, gone?: () => void }} props */
export function PulledActs({ connection, changed, gone = changed }) {
  const [asks, setAsks] = useState(/** @type {"renew" | "restart" | "disconnect" | null} */ (null));
  const close = () => setAsks(null);
  const sync = async () => {
    try {
      await call("POST /api/connections/{id}/sync-now", { path: { id: connection.id } });
      sayDone(`${connection.label} is being read.`);
      setTimeout(changed, NOTED_MS);
    } finally {
      changed();
    }
  };
  const isAsking = needsCredential(connection) && connection.signInId;
  const canSync = connection.state === "active" && !isAsking;
  const isThere = isSignedInThere(providers.value[connection.provider]);
  const renew = async () => (isSignedInThere(await findProvider(connection.provider)) ? signInAgain(connection.provider, connection.signInId) : setAsks("renew"));
  const items = [
    ...(connection.signInId && !isAsking ? [{ name: isThere ? "Sign in again" : "Change credential", icon: "key-round", act: () => renew().catch(sayFailed) }] : []),
    ...(connection.state === "active" ? [{ name: "Restart connector", icon: "refresh-cw", act: () => setAsks("restart") }] : []),
    { name: "Disconnect", icon: "unplug", act: () => setAsks("disconnect") },
  ];
  return html`<div class="acts">
    ${isAsking && html`<${Button} act=${renew} icon="key-round" size="sm" variant="primary" label=${`Sign in again for ${connection.label}`}>Sign in again<//>`}
    ${canSync && html`<${Button} act=${sync} icon="refresh-cw" size="sm" label=${`Sync now: ${connection.label}`}>Sync now<//>`}
    <${PauseButton} connection=${connection} changed=${changed} />
    <${Menu} label=${`More acts on ${connection.label}`} items=${items} />
    ${asks === "renew" && html`<${CredentialDialog} signInId=${connection.signInId} provider=${connection.provider} account=${connection.account} close=${close} done=${changed} />`}
    ${asks === "restart" && html`<${RestartConnector} connection=${connection} close=${close} done=${changed} />`}
    ${asks === "disconnect" && html`<${Disconnect} connection=${connection} close=${close} done=${gone} />`}
  </div>`;
}
