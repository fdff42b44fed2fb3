import { sentence } from "../../core/call.js";
import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Note } from "../../parts/states.js";
import { OutcomeCard } from "./outcome-card.js";

/** What became of a credential that was entered. @param {{ answer: any, again: () => void }} props */
export function Connected({ answer, again }) {
  const missing = answer.missing ?? [];
  const acts = html`
    <${ButtonLink} href="/connections" variant="primary">Show connections<//>
    ${missing.length > 0 && html`<${Button} act=${again} icon="key-round">Sign in again to add ${missing.length === 1 ? "it" : "them"}<//>`}
    ${missing.length === 0 && html`<${ButtonLink} href="/connections/new">Connect another source<//>`}
  `;
  return html`<${OutcomeCard} title=${toldOf(answer.connections, missing)} connections=${answer.connections} acts=${acts} ...${missing.length > 0 ? { kind: "warn", icon: "triangle-alert" } : {}}>
    ${missing.map((/** @type {any} */ each) => html`<${Note} key=${each.sector} icon="triangle-alert" kind="warn"><bdi>${each.sector}: ${sentence(each.message)}</bdi><//>`)}
    <p class="muted">The first sync begins at once, the newest first; a large mailbox takes a while.</p>
  <//>`;
}

/** "Mail and calendar connected; contacts not." @param {any[]} connections @param {any[]} missing */
function toldOf(connections, missing) {
  if (connections.length === 0) return "The sign-in succeeded but granted no sectors.";
  const named = listed(connections.map(({ sector }) => sector));
  const done = `${named.charAt(0).toUpperCase()}${named.slice(1)} connected`;
  return missing.length === 0 ? `${done}.` : `${done}; ${listed(missing.map(({ sector }) => sector))} not.`;
}
