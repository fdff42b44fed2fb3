import { useState } from "../vendor/hooks.js";
import { go } from "../core/address.js";
import { call } from "../core/call.js";
import { counted } from "../core/format.js";
import { html } from "../core/html.js";
import { sayDone } from "../core/messages.js";
import { useResource } from "../core/resource.js";
import { Button, ButtonLink } from "../parts/button.js";
import { Icon } from "../parts/icon.js";
import { PageHead } from "../parts/page-head.js";
import { Loaded, Note } from "../parts/states.js";
import { Time } from "../parts/time.js";
import { KeyDialog, Snippets } from "./agents/key-dialog.js";
import { NewAgent } from "./agents/new-agent.js";
import { DropZone } from "./files/drop-zone.js";

/** The first minutes: bring data, make a key, see its first call. What is done is derived by the service; only leaving is stored. */
export function Welcome() {
  const steps = useResource((signal) => call("GET /api/onboarding", { signal }), [], { on: ["audit", "agent", "connection"] });
  const leave = async () => {
    await call("POST /api/onboarding/complete");
    go("/");
  };
  return html`
    <${PageHead} title="Welcome" about="Three steps, each done by itself. Any of them can wait.">
      <${Button} act=${leave} variant="ghost">${steps.value?.done ? "Go to Overview" : "Skip to Overview"}<//>
    <//>
    <${Loaded} of=${steps} what="the steps" lines=${6}>${(/** @type {any} */ answer) => html`<${Steps} answer=${answer} changed=${steps.reload} />`}<//>
  `;
}

/** @param {{ answer: any, changed: () => void }} props */
function Steps({ answer, changed }) {
  const isDone = (/** @type {string} */ id) => answer.steps.some((/** @type {any} */ step) => step.id === id && step.done);
  return html`
    <ol class="steps">
      <${Step} number=${1} title="Bring data" isDone=${isDone("source")}><${Bring} changed=${changed} isDone=${isDone("source")} /><//>
      <${Step} number=${2} title="Make a key for an agent" isDone=${isDone("agent")}><${MakeKey} changed=${changed} isDone=${isDone("agent")} /><//>
      <${Step} number=${3} title="See its first call arrive" isDone=${isDone("call")}><${FirstCall} isDone=${isDone("call")} hasAgent=${isDone("agent")} refusedKeySince=${answer.refusedKeySince} /><//>
    </ol>
    ${answer.done && html`<${Note} icon="circle-check" kind="good">All three are done. <a href="/">Go to Overview</a><//>`}
  `;
}

/** @param {{ number: number, title: string, isDone: boolean, children: any }} props */
function Step({ number, title, isDone, children }) {
  return html`<li class="card step" data-done=${isDone}>
    <span class="step-mark" aria-hidden="true">${isDone ? html`<${Icon} name="check" />` : number}</span>
    <div class="stack"><h2>${title}${isDone && html`<span class="sr-only"> (done)</span>`}</h2>${children}</div>
  </li>`;
}

/** @param {{ changed: () => void, isDone: boolean }} props */
function Bring({ changed, isDone }) {
  const load = async () => {
    const { connections } = await call("POST /api/sample");
    sayDone(`The sample household is here, in ${counted(connections.length, "connection")}.`);
    changed();
  };
  return html`
    <p class="muted">${isDone ? html`There is a source. <a href="/connections">Show connections</a>` : "Files you have are the quickest: mail, calendars, contacts, bank statements, Apple Health. They are checked before anything is stored. Or connect a source, let a device push, or look around first with an invented family: two thousand records over the six sectors, which leave in one click."}</p>
    ${!isDone && html`<${DropZone} begun=${(/** @type {string} */ id) => go(`/connections/files/${id}`)} />`}
    <div class="acts">
      ${isDone && html`<${ButtonLink} href="/connections/files" icon="file-up">Bring files<//>`}
      ${!isDone && html`<${Button} act=${load} icon="users">Load the sample household<//>`}
      <${ButtonLink} href="/connections/new" icon="plug">Connect a source<//>
    </div>
  `;
}

/** @param {{ changed: () => void, isDone: boolean }} props */
function MakeKey({ changed, isDone }) {
  const [names, setNames] = useState(/** @type {string[] | null} */ (null));
  const [made, setMade] = useState(/** @type {any} */ (null));
  const open = async () => setNames((await call("GET /api/agents")).agents.map((agent) => agent.name));
  const done = (/** @type {any} */ answer) => {
    setNames(null);
    setMade(answer);
    changed();
  };
  return html`
    <p class="muted">${isDone ? html`There is an agent. <a href="/agents">Show agents</a>` : "An agent is a program that reads your data. It gets a key of its own, and only the sectors you turn on."}</p>
    <div class="acts"><${Button} act=${open} icon="key-round" variant=${isDone ? "outline" : "primary"}>New agent<//></div>
    ${names && html`<${NewAgent} names=${names} close=${() => setNames(null)} done=${done} />`}
    ${made && html`<${KeyDialog} made=${made} close=${() => setMade(null)} />`}
  `;
}

/** @param {{ isDone: boolean, hasAgent: boolean, refusedKeySince: string | null }} props */
function FirstCall({ isDone, hasAgent, refusedKeySince }) {
  const agents = useResource((signal) => call("GET /api/agents", { signal }), [hasAgent], { on: ["agent"] });
  const newest = [...(agents.value?.agents ?? [])].sort((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
  if (isDone) return html`<p class="muted">A call was served. <a href="/activity">Show the audit log</a></p><div class="acts"><${ButtonLink} href="/" variant="primary">Go to Overview<//></div>`;
  if (refusedKeySince) {
    return html`<${Note} icon="shield-x" kind="bad"><span role="alert">A client knocked with a key that is not known; paste it again. (<${Time} at=${refusedKeySince} />)</span><//>`;
  }
  if (!newest) return html`<p class="muted">Paste the key into a client. Its first call turns this step done by itself.</p>`;
  return html`<p class="muted" role="status">Waiting for the first call of ${newest.name}. Paste its key into a client where <code>${"<AGENT_KEY>"}</code> stands.</p><${Snippets} name=${newest.name} />`;
}
