// What an answer says of itself: what was added, cut or left out, and where its rows come from.

import { html } from "../../core/html.js";
import { SampleMark } from "../../parts/sector.js";
import { State } from "../../parts/state.js";
import { Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { plain } from "./text.js";

/** @param {{ answer: { notes?: string[] } }} props */
export function Notes({ answer }) {
  // The page says by itself that the answer is at its size limit, and that a text goes on.
  const notes = (answer.notes ?? []).filter((note) => !note.startsWith("cut at the budget"));
  if (notes.length === 0) return null;
  return html`<div class="data-notes">${notes.map((note) => html`<${Note} key=${note}>${note.startsWith("texts that end in") ? "Texts that end in … go on: the record has them whole." : plain(note)}<//>`)}</div>`;
}

/** @param {{ sources: any[], samples: Set<string> }} props `samples` are labels of sample connections */
export function Sources({ sources, samples }) {
  if (sources.length === 0) return null;
  return html`<section class="data-sources" aria-label="Sources">
    <h2>${sources.length === 1 ? "Source" : "Sources"}</h2>
    <ul>${sources.map((source, at) => html`<li key=${at}>
      <bdi>${source.connection}</bdi>
      ${(source.sample ?? samples.has(source.connection)) && html`<${SampleMark} />`}
      ${source.state !== "active" && html`<${State} kind="warn" icon="triangle-alert">${source.state.replaceAll("_", " ")}<//>`}
      ${source.stale && html`<${State} kind="warn" icon="clock">stale<//>`}
      <span class="muted"><${Time} at=${source.as_of} none="nothing yet" /></span>
    </li>`)}</ul>
  </section>`;
}
