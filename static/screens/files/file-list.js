import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { State } from "../../parts/state.js";
import { Table } from "../../parts/table.js";

/** Files that are shown of those that were read, and of those that were not. */
const SHOWN_MAX = 100;

/** The states of a file in words. @type {Record<string, [string, "good" | "warn" | "bad" | "quiet", string]>} */
const STATES = {
  read: ["Read", "good", "circle-check"],
  empty: ["Empty", "quiet", "info"],
  passedOver: ["Passed over", "quiet", "info"],
  unread: ["Not read", "bad", "triangle-alert"],
  cutOff: ["Not read to its end", "bad", "triangle-alert"],
};

/** What became of each file: those that need the person, and behind a line the others. @param {{ job: any }} props */
export function FileList({ job }) {
  const isTroubled = (/** @type {any} */ file) => file.state === "unread" || file.state === "cutOff";
  const troubled = job.files.filter(isTroubled);
  const fine = job.files.filter((/** @type {any} */ file) => !isTroubled(file));
  const fineCount = job.totals.files - job.totals.unread;
  return html`
    ${troubled.length > 0 && html`<section class="stack" aria-labelledby="unread-head">
      <h2 id="unread-head">${counted(job.totals.unread, "file")} not read</h2>
      <${Files} name="Files that were not read" files=${troubled} all=${job.totals.unread} />
    </section>`}
    ${fine.length > 0 && html`<details class="card"><summary>${counted(fineCount, "file")} read</summary><${Files} name="Files that were read" files=${fine} all=${fineCount} /></details>`}
  `;
}

/** @param {{ name: string, files: any[], all: number }} props */
function Files({ name, files, all }) {
  const columns = [
    { name: "File", of: (/** @type {any} */ file) => html`<bdi>${file.path}</bdi>` },
    { name: "State", of: (/** @type {any} */ file) => html`<${FileState} file=${file} />` },
    { name: "Records", isNumber: true, of: (/** @type {any} */ file) => count(file.taken) },
    { name: "Refused", isNumber: true, of: (/** @type {any} */ file) => count(file.refused) },
  ];
  const shown = files.slice(0, SHOWN_MAX);
  return html`${all > shown.length && html`<p class="muted">The first ${count(shown.length)} of ${count(all)}.</p>`}
    <${Table} name=${name} columns=${columns} rows=${shown} keyOf=${(/** @type {any} */ file) => file.path} />`;
}

/** @param {{ file: any }} props */
function FileState({ file }) {
  const [word, kind, icon] = STATES[file.state] ?? [file.state, "quiet", "info"];
  const why = file.question === null ? file.reason : "It leaves something open; the answer is asked for above.";
  return html`<${State} kind=${kind} icon=${icon}>${word}<//>${why && html`<p class="muted file-why"><bdi>${why}</bdi></p>`}`;
}
