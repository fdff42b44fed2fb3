import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { status } from "../../core/service.js";
import { CodeBox } from "../../parts/code.js";
import { Choices, SecretDialog } from "../../parts/secret-dialog.js";
import { Loaded } from "../../parts/states.js";

/** What the service writes where the key belongs. */
const PLACEHOLDER = "<AGENT_KEY>";

/**
 * A new key, once, with what each client takes.
 *
 * @param {{ made: { name: string, key: string, warnings?: string[], sessionsEnded?: number }, close: () => void }} props the service's answer
 */
export function KeyDialog({ made, close }) {
  return html`<${SecretDialog} title=${`Key for ${made.name}`} about="This is the only time the key is shown. Only a hash of it is kept." secret=${made.key} noun="key" notes=${made.warnings ?? []} close=${close}>
    <h3>Paste it into a client</h3>
    <${Snippets} name=${made.name} agentKey=${made.key} />
    <h3>Test this key</h3>
    <${CodeBox} text=${test(made.key)} name="A call with this key" what="test" />
  <//>`;
}

/** What each client is given. @param {{ name: string, agentKey?: string }} props without a key its place is named */
export function Snippets({ name, agentKey = PLACEHOLDER }) {
  const snippets = useResource((signal) => call("GET /api/agents/{name}/snippets", { path: { name }, signal }), [name]);
  return html`<${Loaded} of=${snippets} what="the clients">${(/** @type {any} */ answer) => html`
    <${Choices} label="Client" what="snippet" items=${answer.snippets.map((/** @type {any} */ snippet) => ({
      name: snippet.client,
      text: snippet.text.replaceAll(PLACEHOLDER, agentKey),
      hint: snippet.file ? `In ${snippet.file}` : hintOf(snippet),
    }))} />`}
  <//>`;
}

/** A hosted agent has no use of an address on this computer. @param {any} snippet */
function hintOf(snippet) {
  if (!snippet.needsPublicUrl) return undefined;
  const isPublic = status.value?.exposure.mode === "public";
  return isPublic ? "The key needs a deadline. It is entered on Sextant’s own page, not there." : "Turn on remote access first, under Settings, Remote access.";
}

/** A call for the person to make: the page itself never makes an agent's first call. @param {string} key */
function test(key) {
  return `curl -sS ${location.origin}/api/read/describe_context -H 'Authorization: Bearer ${key}'`;
}
