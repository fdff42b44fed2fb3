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
    ${report && html`<ol class="findings" aria-label="What was checked">${report.findings.map((/** @type {any} */ finding) => html`<${Finding} key=${finding.step} finding=${finding} />`)}</ol>`}
  </section>`;
}

/** @param {{ finding: any }} props */
function Finding({ finding }) {
  const { kind, icon, word } = OUTCOMES[finding.outcome] ?? { kind: "quiet", icon: "info", word: finding.outcome };
  return html`<li>
    <div class="row"><span>${finding.checks}</span><${State} kind=${kind} icon=${icon}>${word}<//></div>
    ${finding.what && html`<p class="muted">${finding.what}</p>`}
    ${finding.remedy && html`<p>${finding.remedy}</p>`}
  </li>`;
}
