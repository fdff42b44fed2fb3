import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { findProvider } from "../../core/providers.js";
import { needsCredential } from "../../core/pulled.js";
import { useResource } from "../../core/resource.js";
import { isSignedInThere, signInAgain } from "../../core/signing-in.js";
import { Button } from "../../parts/button.js";
import { Note } from "../../parts/states.js";

/** Where each kind is dealt with. @type {Record<string, (about: string | null) => string>} */
const PLACES = {
  key_expiring: (name) => `/agents/${encodeURIComponent(name ?? "")}`,
  upload_waiting: (id) => `/connections/files/${encodeURIComponent(id ?? "")}`,
  connection_stopped: (id) => `/connections/${encodeURIComponent(id ?? "")}`,
  connection_warned: (id) => `/connections/${encodeURIComponent(id ?? "")}`,
  sign_in_unfinished: () => "/connections",
  duplicates_open: () => "/data/finance/duplicates",
  credential_ending: (id) => `/connections/${encodeURIComponent(id ?? "")}`,
};

/** What needs the person. @param {{ attention: { kind: string, ref: string | null, text: string }[] }} props */
export function Attention({ attention }) {
  return html`<section class="card" aria-labelledby="attention-head">
    <header><h2 id="attention-head">What needs you</h2></header>
    ${attention.length === 0 && html`<${Note} icon="circle-check" kind="good">Nothing needs you.<//>`}
    <ul class="attention">${attention.map((item) => html`<li key=${`${item.kind} ${item.ref}`} class="row">
      <${Note} icon="bell" kind="warn"><bdi>${item.text}</bdi> <a href=${(PLACES[item.kind] ?? (() => "/settings/system"))(item.ref)}>Show</a><//>
      ${item.kind === "connection_stopped" && item.ref && html`<${SignInAgain} id=${item.ref} />`}
    </li>`)}</ul>
  </section>`;
}

/** For a connection whose provider must be asked again: the way there at once. @param {{ id: string }} props */
function SignInAgain({ id }) {
  const stopped = useResource(async (signal) => {
    const connection = await call("GET /api/connections/{id}", { path: { id }, signal });
    return needsCredential(connection) && isSignedInThere(await findProvider(connection.provider)) ? connection : null;
  }, [id]);
  const { value: connection } = stopped;
  if (!connection) return null;
  return html`<${Button} act=${() => signInAgain(connection.provider, connection.signInId)} icon="key-round" size="sm" label=${`Sign in again for ${connection.label}`}>Sign in again<//>`;
}
