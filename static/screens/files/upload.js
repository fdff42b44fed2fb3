import { useEffect, useState } from "../../vendor/hooks.js";
import { go } from "../../core/address.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { sending } from "../../core/uploads.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Destinations } from "./destinations.js";
import { FileList } from "./file-list.js";
import { Outcome } from "./outcome.js";
import { Questions } from "./questions.js";
import { Refusals } from "./refusals.js";
import { Sending } from "./sending.js";
import { AtWork } from "./at-work.js";

/** One upload: what is being sent, what a check found, what was stored. @param {{ id: string }} props */
export function Upload({ id }) {
  const upload = useResource((signal) => call("GET /api/uploads/{id}", { path: { id }, signal }), [id], { on: ["upload"] });
  const now = sending.value?.id === id ? sending.value : null;
  // The check begins when the last file is there.
  useEffect(() => {
    if (now?.isOver) upload.reload();
  }, [now?.isOver]);
  if (upload.error && /** @type {any} */ (upload.error).status === 404) return html`<${Gone} />`;
  return html`
    <${PageHead} title="Files" about="Nothing is stored before you say so, and nothing twice."><${ButtonLink} href="/connections/files" icon="arrow-left">All files<//><//>
    ${now && (!now.isOver || now.unsent.length > 0) && html`<${Sending} now=${now} />`}
    <${Loaded} of=${upload} what="the upload" lines=${6}>${(/** @type {any} */ job) => html`<${Job} key=${id} job=${job} set=${upload.set} isSending=${now !== null && !now.isOver} />`}<//>
  `;
}

function Gone() {
  return html`<${PageHead} title="Files" /><${Empty} icon="file" title="These files are gone" act=${html`<${ButtonLink} href="/connections/files">Bring files<//>`}>They are kept for a day, or until they are removed. What was stored of them is in Data.<//>`;
}

/** @param {{ job: any, set: (job: any) => void, isSending: boolean }} props */
function Job({ job, set, isSending }) {
  const [answers, setAnswers] = useState(job.answers);
  const [destinations, setDestinations] = useState(job.destinations);
  // A run remembers the connections that it made.
  useEffect(() => setDestinations(job.destinations), [JSON.stringify(job.destinations)]);
  const path = { id: job.id };
  const isAtWork = job.state === "checking" || job.state === "running";
  const check = async () => set(await call("POST /api/uploads/{id}/check", { path, body: { answers, destinations } }));
  const run = async () => set(await call("POST /api/uploads/{id}/run", { path, body: { answers, destinations } }));
  const remove = async () => {
    await call("DELETE /api/uploads/{id}", { path });
    go("/connections/files", { replace: true });
  };
  if (isAtWork) return html`<${AtWork} job=${job} />`;
  const hasWork = job.work !== null;
  const asks = job.files.some((/** @type {any} */ file) => file.question !== null);
  return html`
    ${hasWork && html`<${Outcome} job=${job} />`}
    ${!isSending && html`<div class="acts" role="group" aria-label="What to do">
      ${job.state !== "done" && hasWork && html`<${Button} act=${run} icon="database" variant=${asks ? "outline" : "primary"} disabled=${job.totals.taken === 0 && job.state === "checked"}>${job.state === "checked" ? `Store ${counted(job.totals.taken, "record")}` : "Store the rest"}<//>`}
      ${job.filesReceived > 0 && html`<${Button} act=${check} icon="refresh-cw">${hasWork ? "Check again" : "Check"}<//>`}
      <${Button} act=${remove} icon="trash-2" variant="ghost">Remove these files<//>
    </div>`}
    ${hasWork && html`
      <${Questions} files=${job.files} answers=${answers} change=${setAnswers} check=${check} />
      <${Destinations} job=${job} chosen=${destinations} change=${setDestinations} />
      <${Refusals} job=${job} />
      <${FileList} job=${job} />
    `}
  `;
}
