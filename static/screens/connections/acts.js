// The acts on a connection that ask first.

import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { providers } from "../../core/providers.js";
import { isPulled } from "../../core/pulled.js";
import { useResource } from "../../core/resource.js";
import { isSignedInThere } from "../../core/signing-in.js";
import { Confirm } from "../../parts/confirm.js";
import { EndsThere, endsAt, sayEnded } from "./revocation.js";

/** @param {{ connection: any, close: () => void, done: (answer: any) => void }} props */
export function RotateSecret({ connection, close, done }) {
  const rotate = async () => done(await call("POST /api/connections/{id}/rotate-secret", { path: { id: connection.id } }));
  return html`<${Confirm} title=${`Rotate the secret of ${connection.label}?`} about="The present secret is refused from now on: what pushes with it needs the new one. Rows stay." verb="Rotate secret" act=${rotate} close=${close} />`;
}

/** Starts the connector of one connection again. @param {{ connection: any, close: () => void, done: () => void }} props */
export function RestartConnector({ connection, close, done }) {
  const restart = async () => {
    await call("POST /api/connections/{id}/restart", { path: { id: connection.id } });
    sayDone(`Restarted the connector of ${connection.label}.`);
    done();
  };
  const about = "A round that is under way is ended, and the next goes on from the last page that was stored. Rows stay; other connections notice nothing.";
  return html`<${Confirm} title=${`Restart the connector of ${connection.label}?`} about=${about} verb="Restart connector" act=${restart} close=${close} />`;
}

/** Removes the connection, with its rows kept or deleted; says how many there are before. @param {{ connection: any, close: () => void, done: () => void }} props */
export function Disconnect({ connection, close, done }) {
  const [rows, setRows] = useState(connection.isSample ? "delete" : "keep");
  const shown = useResource((signal) => call("GET /api/connections/{id}", { path: { id: connection.id }, signal }), [connection.id]);
  const held = heldBy(shown);
  const provider = providers.value[connection.provider];
  const act = async () => {
    const { consent } = await call("POST /api/connections/{id}/disconnect", { path: { id: connection.id }, body: /** @type {any} */ ({ rows }) });
    sayEnded(`Disconnected ${connection.label}.${rows === "delete" ? " Its rows are deleted." : " Its rows stay."}`, consent);
    done();
  };
  const choice = (/** @type {string} */ value, /** @type {any} */ text) => html`<label class="tick"><input type="radio" class="input" name="rows" value=${value} checked=${rows === value} onChange=${() => setRows(value)} /><span>${text}</span></label>`;
  return html`<${Confirm} title=${`Disconnect ${connection.label}?`} about=${endsWith(connection, provider)} verb="Disconnect" act=${act} close=${close}>
    <fieldset class="fieldset"><legend class="label">Its rows: ${held}</legend>${choice("keep", "Keep them; agents still read them")}${choice("delete", "Delete them; there is no undo")}</fieldset>
    ${isSignedInThere(provider) && html`<${EndsThere} how=${provider.revocation} />`}
  <//>`;
}

/** How many rows it has. @param {{ value?: any, error?: any }} shown */
function heldBy({ value, error }) {
  if (error) return "they could not be counted";
  if (!value) return "…";
  return value.rows === null ? "more than could be counted in time" : counted(value.rows, "row");
}

/** What ends with a connection. @param {any} connection @param {any} provider */
function endsWith(connection, provider) {
  if (!isPulled(connection)) return "Its secret is refused from now on, and it is no longer listed.";
  const last = "Its source is read no more, and it is no longer listed. With the last connection of a sign-in its credential is deleted.";
  return isSignedInThere(provider) ? `${last} ${endsAt(provider.name)}` : last;
}
