import { useId, useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { CopyLine } from "../../parts/code.js";
import { Confirm } from "../../parts/confirm.js";
import { Field } from "../../parts/field.js";
import { State } from "../../parts/state.js";
import { Loaded, Note } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";
import { Doctor } from "./doctor.js";

/** Who reaches the agent port: this computer alone, or agents elsewhere by a public address. */
export function RemoteAccess() {
  const exposure = useResource((signal) => call("GET /api/exposure", { signal }), [], { on: ["exposure", "agent", "audit"] });
  return html`<${Loaded} of=${exposure} what="who can reach the agent port" lines=${6}>${(/** @type {any} */ answer) => html`
    <${Reach} exposure=${answer} changed=${exposure.reload} />
    ${answer.mode === "public" && html`<${Doctor} check=${answer.check} changed=${exposure.reload} />`}
    ${answer.mode === "public" && html`<${SignedIn} signIns=${answer.signIns} />`}
    <${Facts} exposure=${answer} />
  `}<//>`;
}

/** @param {{ exposure: any, changed: () => void }} props */
function Reach({ exposure, changed }) {
  const isPublic = exposure.mode === "public";
  return html`<section class="card" aria-labelledby="reach-head">
    <header><div class="row"><h2 id="reach-head">Agents elsewhere</h2>${isPublic ? html`<${State} kind="warn" icon="link">By a public address<//>` : html`<${State} kind="quiet" icon="lock">This computer only<//>`}</div></header>
    ${isPublic
      ? html`<p class="muted">A hosted agent is given this address. It opens a page of Sextant, where you enter the agent’s key once.</p>
        <${CopyLine} text=${exposure.agentUrl} what="address for agents" />`
      : html`<p class="muted">Agents that run elsewhere, as claude.ai and ChatGPT, reach the agent port by a public https address: a funnel of your private network leads it here. The Console stays on this computer.</p>`}
    <${Address} exposure=${exposure} changed=${changed} />
  </section>`;
}

/** The address as it is entered, and its end. @param {{ exposure: any, changed: () => void }} props */
function Address({ exposure, changed }) {
  const id = useId();
  const isPublic = exposure.mode === "public";
  const [publicUrl, setUrl] = useState(exposure.publicUrl ?? "");
  const [fault, setFault] = useState(/** @type {string | null} */ (null));
  const [isAsked, ask] = useState(false);
  const set = async () => {
    setFault(null);
    try {
      const answer = await call("PUT /api/exposure", { body: { publicUrl } });
      setUrl(answer.publicUrl ?? "");
      sayDone(isPublic ? "Changed the public address." : "Remote access is on.");
      changed();
    } catch (error) {
      setFault(/** @type {Error} */ (error).message);
      document.getElementById(id)?.querySelector("input")?.focus();
    }
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    return set();
  };
  return html`<form id=${id} class="stack" onSubmit=${submit} novalidate>
    <${Field} label="Public address" help="The whole https address, as your private network shows it." error=${fault}>${(/** @type {any} */ ids) => html`<input ...${ids} class="input" type="url" inputmode="url" autocomplete="off" spellcheck=${false} value=${publicUrl} onInput=${(/** @type {any} */ event) => setUrl(event.currentTarget.value)} />`}<//>
    <div class="acts">
      <${Button} act=${set} icon="link" variant="primary" disabled=${publicUrl.trim() === ""}>${isPublic ? "Change address" : "Turn on"}<//>
      ${isPublic && html`<${Button} act=${() => ask(true)} icon="unplug" variant="outline">Turn off<//>`}
    </div>
    ${isAsked && html`<${TurnOff} signIns=${exposure.signIns.length} close=${() => ask(false)} done=${() => (setUrl(""), changed())} />`}
  </form>`;
}

/** @param {{ signIns: number, close: () => void, done: () => void }} props */
function TurnOff({ signIns, close, done }) {
  const live = useResource((signal) => call("GET /api/sessions", { signal }), [], { on: ["agent.sessions"] });
  const sessions = live.value ? ` (${counted(live.value.sessions.length, "session")} now)` : "";
  const clear = async () => {
    const { signInsEnded, sessionsEnded } = await call("DELETE /api/exposure");
    sayDone(`Remote access is off. ${counted(signInsEnded, "sign-in")} and ${counted(sessionsEnded, "live session")} ended.`);
    done();
  };
  const about = `Agents elsewhere are refused at once. ${counted(signIns, "client")} that signed in must sign in again once it is back on, and every live session ends${sessions}; clients on this computer open others.`;
  return html`<${Confirm} title="Turn remote access off?" about=${about} verb="Turn off" act=${clear} close=${close} />`;
}

/** Which clients have an agent's key. @param {{ signIns: any[] }} props */
function SignedIn({ signIns }) {
  const columns = [
    { name: "Client", of: (/** @type {any} */ one) => html`<bdi>${one.client ?? one.clientId}</bdi>` },
    { name: "As the agent", of: (/** @type {any} */ one) => html`<a href=${`/agents/${one.agent}`}>${one.agent}</a>` },
    { name: "Signed in", of: (/** @type {any} */ one) => html`<${Time} at=${one.createdAt} />` },
    { name: "Last token", of: (/** @type {any} */ one) => html`<${Time} at=${one.usedAt} />` },
  ];
  return html`<section class="stack"><h2>Signed in</h2>
    ${signIns.length === 0
      ? html`<p class="muted">No client has signed in yet. Make an agent with a deadline under <a href="/agents">Agents</a>; its key is what you enter on the sign-in page.</p>`
      : html`<p class="muted">Each acts as its agent. To end one, rotate or revoke the agent’s key.</p><${Table} name="Clients that signed in" columns=${columns} rows=${signIns} keyOf=${(/** @type {any} */ one) => `${one.agent} ${one.clientId} ${one.createdAt}`} />`}
  </section>`;
}

/** What publishing means (r104). @param {{ exposure: any }} props */
function Facts({ exposure }) {
  return html`<section class="card" aria-labelledby="facts-head"><h2 id="facts-head">Before you publish</h2>
    <ul class="told">
      <li>A funnel has three ports and no other: 443, 8443 and 10000.</li>
      <li>Hosted agents connect on 443 only. On another port nothing connects, and nothing is recorded.</li>
      <li>A public host name stays in the public logs of certificates for ever, also when remote access is off again.</li>
      <li>Whoever knows the name can try; only a key opens anything, and every refused one is recorded.</li>
    </ul>
    ${exposure.trustedProxies ? html`<${Note}>Proxies of your own are trusted (MCP_TRUSTED_PROXIES): sign-ins are counted for each caller.<//>` : html`<${Note}>Behind a funnel all callers look like one: 120 sign-in requests a minute for all together.<//>`}
  </section>`;
}
