import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { State } from "../../parts/state.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/time.js";

/** The part with which all live sessions end. */
const REGISTRY = "session-registry";

const STATES = /** @type {Record<string, { kind: any, icon: string }>} */ ({
  running: { kind: "good", icon: "circle-check" },
  restarting: { kind: "warn", icon: "refresh-cw" },
  parked: { kind: "bad", icon: "circle-pause" },
  stopped: { kind: "quiet", icon: "circle-x" },
  failed: { kind: "bad", icon: "triangle-alert" },
});

/** How the parts of the service fare, and the restart of one. */
export function Actors() {
  const actors = useResource((signal) => call("GET /api/actors", { signal }), [], { on: ["actor"] });
  const [asked, ask] = useState(/** @type {string | null} */ (null));
  const columns = [
    { name: "Part", class: "mono", of: (/** @type {any} */ actor) => actor.id },
    { name: "State", of: (/** @type {any} */ actor) => html`<${State} kind=${STATES[actor.state]?.kind ?? "quiet"} icon=${STATES[actor.state]?.icon ?? "info"}>${actor.state}<//>` },
    { name: "Since", of: (/** @type {any} */ actor) => html`<${Time} at=${actor.since} />` },
    { name: "Crashes", isNumber: true, of: (/** @type {any} */ actor) => count(actor.crashes) },
    { name: "Restarts", isNumber: true, of: (/** @type {any} */ actor) => count(actor.restarts) },
    { name: "Last error", of: (/** @type {any} */ actor) => html`<bdi>${actor.lastError ?? "none"}</bdi>` },
    { name: "Act", of: (/** @type {any} */ actor) => canRestart(actor) && html`<${Button} act=${() => ask(actor.id)} icon="refresh-cw" size="sm" label=${`Restart ${actor.id}`}>Restart<//>` },
  ];
  return html`<section class="stack"><h2>Parts of the service</h2>
    <p class="muted">A part that crashes is started again with what it held.</p>
    <${Loaded} of=${actors} what="the parts">${(/** @type {any} */ answer) => html`<${Table} name="Parts of the service" columns=${columns} rows=${answer.actors} keyOf=${(/** @type {any} */ actor) => actor.id} />`}<//>
    ${asked === REGISTRY && html`<${RestartRegistry} close=${() => ask(null)} done=${actors.reload} />`}
    ${asked !== null && asked !== REGISTRY && html`<${Restart} id=${asked} about=${aboutOf(asked)} close=${() => ask(null)} done=${actors.reload} />`}
  </section>`;
}

/** Sessions are many behind one row, and are never restarted. @param {any} actor */
function canRestart(actor) {
  return actor.state === "running" && actor.kind !== "session";
}

/** What a restart does. @param {string} id */
function aboutOf(id) {
  const isEdited = id === "grants" ? "; an edit of an agent that is under way may have to be made again" : "";
  return `The other parts go on, and so do calls and pushes${isEdited}.`;
}

/** @param {{ close: () => void, done: () => void }} props */
function RestartRegistry({ close, done }) {
  const live = useResource((signal) => call("GET /api/sessions", { signal }), [], { on: ["agent.sessions"] });
  const sessions = live.value ? ` (${count(live.value.sessions.length)} now)` : "";
  return html`<${Restart} id=${REGISTRY} about=${`All live sessions${sessions} end at once; clients open others.`} close=${close} done=${done} />`;
}

/** @param {{ id: string, about: string, close: () => void, done: () => void }} props */
function Restart({ id, about, close, done }) {
  const restart = async () => {
    const { sessionsEnded } = await call("POST /api/actors/{id}/restart", { path: { id } });
    sayDone(`Restarted ${id}.${sessionsEnded === null ? "" : ` ${counted(sessionsEnded, "live session")} ended.`}`);
    done();
  };
  return html`<${Confirm} title=${`Restart ${id}?`} about=${about} verb="Restart" act=${restart} close=${close} />`;
}
