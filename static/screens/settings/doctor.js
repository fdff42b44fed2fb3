import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";
import { State } from "../../parts/state.js";
import { Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";

const OUTCOMES = /** @type {Record<string, { kind: any, icon: string, word: string }>} */ ({
  passed: { kind: "good", icon: "circle-check", word: "Passed" },
  warned: { kind: "warn", icon: "triangle-alert", word: "Look at this" },
  failed: { kind: "bad", icon: "circle-x", word: "Failed" },
  not_run: { kind: "quiet", icon: "clock", word: "Not run" },
});

/** Checks what stands between a hosted agent and an answer. @param {{ check: any, changed: () => void }} props `check` is the last result */
export function Doctor({ check, changed }) {
  const [report, setReport] = useState(/** @type {any} */ (null));
  const run = async () => {
    setReport(null);
    setReport(await call("POST /api/exposure/check"));
    changed();
  };
  return html`<section class="card" aria-labelledby="doctor-head">
    <header><h2 id="doctor-head">Check</h2><div class="acts"><${Button} act=${run} icon="activity" size="sm">Check the way in<//></div></header>
    <p class="muted">Goes the way of a hosted agent, from the name to a refused key, with an agent of its own that is removed again. The command <code>sextant doctor</code> does the same.</p>
    ${!report && check && html`<${Note} icon=${check.ok ? "circle-check" : "triangle-alert"} kind=${check.ok ? "good" : "bad"}>${check.message} <${Time} at=${check.at} /><//>`}
    ${report && html`<ol class="findings" aria-label="What was checked">${report.steps.map((/** @type {any} */ step) => html`<${Step} key=${step.step} step=${step} />`)}</ol>`}
  </section>`;
}

/** @param {{ step: any }} props */
function Step({ step: { about, outcome, what, remedy } }) {
  const { kind, icon, word } = OUTCOMES[outcome] ?? { kind: "quiet", icon: "info", word: outcome };
  return html`<li>
    <div class="row"><span>${about}</span><${State} kind=${kind} icon=${icon}>${word}<//></div>
    ${what && html`<p class="muted">${what}</p>`}
    ${remedy && html`<p>${remedy}</p>`}
  </li>`;
}
