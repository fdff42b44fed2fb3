import { call } from "../../core/call.js";
import { count, counted, size } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";

/** A check or a run that is under way. @param {{ job: any }} props */
export function AtWork({ job }) {
  const { reading, totals } = job;
  const isRun = job.state === "running";
  const cancel = () => call("POST /api/uploads/{id}/cancel", { path: { id: job.id } });
  return html`<section class="card" aria-labelledby="work-head">
    <h2 id="work-head">${isRun ? "Storing" : "Checking"}</h2>
    <p role="status">${counted(totals.taken, "record")} ${isRun ? "stored" : "can be stored"}${totals.refused > 0 && `, ${count(totals.refused)} refused`}; ${counted(totals.files, "file")} read.</p>
    ${reading && html`<p class="muted"><bdi>${reading.path}</bdi>${reading.bytes !== null && ` (${size(reading.bytesRead)} of ${size(reading.bytes)})`}</p>
      ${reading.bytes > 0 && html`<progress class="progress" max=${reading.bytes} value=${reading.bytesRead} aria-label="The file that is being read"></progress>`}`}
    <div class="acts"><${Button} act=${cancel} icon="circle-x">Cancel<//><span class="muted">${isRun ? "What is stored by then stays." : "Nothing is stored by a check."}</span></div>
  </section>`;
}
