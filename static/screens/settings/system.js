import { call } from "../../core/call.js";
import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { State } from "../../parts/state.js";
import { Loaded } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { Actors } from "./actors.js";
import { Notices } from "./notices.js";
import { Routes } from "./routes.js";

/** The service itself: how its parts fare, its keyboard, its routes, and whose work it is made of. */
export function System() {
  return html`<${Standing} /><${Actors} /><${Keyboard} /><${Routes} /><${Notices} />`;
}

function Standing() {
  const status = useResource((signal) => call("GET /api/status", { signal }), [], { on: ["attention", "actor"] });
  return html`<section class="card" aria-labelledby="standing-head"><h2 id="standing-head">Service</h2>
    <${Loaded} of=${status} what="the status" lines=${5}>${(/** @type {any} */ answer) => html`<dl class="row-facts">
      ${factsOf(answer).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>`}<//>
  </section>`;
}

/** @param {any} status @returns {[string, any][]} */
function factsOf(status) {
  const isUp = status.database === "ok";
  const { journal, timezone } = status;
  return [
    ["Version", html`<code>${status.version}</code>`],
    ["Started", html`<${Time} at=${status.startedAt} />`],
    ["Console port", html`<code>${status.ports.console}</code>`],
    ["Agent port", html`<code>${status.ports.agent}</code>`],
    ["Database", html`<${State} kind=${isUp ? "good" : "bad"} icon=${isUp ? "circle-check" : "triangle-alert"}>${isUp ? "Reachable" : "Not reachable"}<//>`],
    ["Journal", html`<${State} kind=${journal.state === "ok" ? "good" : "warn"} icon=${journal.state === "ok" ? "circle-check" : "triangle-alert"}>${journal.state}<//> ${journal.waitingRows > 0 && html`<span class="muted">${count(journal.waitingRows)} rows wait</span>`}`],
    ["Time zone", html`${timezone.name}${!timezone.isSet && html` <span class="muted">(not set)</span>`}`],
    ["Agents reach it from", status.exposure.mode === "public" ? html`elsewhere, by <code>${status.exposure.url}</code>` : "this computer only"],
  ];
}

function Keyboard() {
  const keys = [
    ["Ctrl K", "Search screens, agents, connections, tables and all data"],
    ["Tab", "To the next control; the first leads past the places"],
    ["Space", "Turns a switch"],
    ["Escape", "Closes a dialog, unless it shows a secret that is not stored yet"],
  ];
  return html`<section class="card" aria-labelledby="keys-head"><h2 id="keys-head">Keyboard</h2><dl class="keys">${keys.map(([key, what]) => html`<div key=${key}><dt><kbd class="kbd">${key}</kbd></dt><dd>${what}</dd></div>`)}</dl></section>`;
}
