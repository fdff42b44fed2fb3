import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Note } from "../../parts/states.js";
import { UploadState } from "./upload-state.js";

/** What the last check or run came to. @param {{ job: any }} props */
export function Outcome({ job }) {
  const { totals } = job;
  return html`<section class="card" aria-labelledby="outcome-head">
    <header><h2 id="outcome-head">${job.work === "run" ? stored(totals) : checked(totals)}</h2><${UploadState} state=${job.state} /></header>
    ${job.work === "run" && html`<p class="muted">${count(totals.inserted)} new, ${count(totals.updated)} changed, ${count(totals.unchanged)} there already${totals.deleted > 0 && `, ${count(totals.deleted)} removed`}.</p>`}
    ${totals.refused > 0 && html`<${Note} icon="triangle-alert" kind="warn">${counted(totals.refused, "record")} ${totals.refused === 1 ? "is" : "are"} refused; below is why.<//>`}
    ${totals.unread > 0 && html`<${Note} icon="triangle-alert" kind="warn">${counted(totals.unread, "file")} of ${count(totals.files)} cannot be read, or not to the end.<//>`}
    ${job.state === "interrupted" && html`<${Note} icon="triangle-alert" kind="warn">The service stopped meanwhile. What is counted here is stored; store the rest, nothing is stored twice.<//>`}
    ${job.state === "cancelled" && html`<${Note} icon="circle-x" kind="warn">${job.work === "run" ? "It was cancelled. What is counted here is stored." : "The check was cancelled; what is counted here is a part."}<//>`}
    ${job.problem && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">It ended early: ${job.problem}</span><//>`}
    ${job.notes.map((/** @type {string} */ note) => html`<${Note} key=${note}><bdi>${note}</bdi><//>`)}
  </section>`;
}

/** @param {any} totals */
function checked(totals) {
  return totals.taken === 0 ? "Nothing in these files can be stored yet" : `${counted(totals.taken, "record")} can be stored`;
}

/** @param {any} totals */
function stored(totals) {
  return totals.taken === 0 ? "Nothing was stored" : `${counted(totals.taken, "record")} stored`;
}
