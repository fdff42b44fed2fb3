import { html } from "../../core/html.js";
import { Note } from "../../parts/states.js";

/** Where each kind is dealt with. @type {Record<string, (about: string | null) => string>} */
const PLACES = {
  key_expiring: (name) => `/agents/${encodeURIComponent(name ?? "")}`,
  upload_waiting: (id) => `/connections/files/${encodeURIComponent(id ?? "")}`,
  connection_stopped: (id) => `/connections/${encodeURIComponent(id ?? "")}`,
  credential_ending: (id) => `/connections/${encodeURIComponent(id ?? "")}`,
};

/** What needs the person. @param {{ attention: { kind: string, ref: string | null, text: string }[] }} props */
export function Attention({ attention }) {
  return html`<section class="card" aria-labelledby="attention-head">
    <header><h2 id="attention-head">What needs you</h2></header>
    ${attention.length === 0 && html`<${Note} icon="circle-check" kind="good">Nothing needs you.<//>`}
    <ul class="attention">${attention.map((item) => html`<li key=${`${item.kind} ${item.ref}`}>
      <${Note} icon="bell" kind="warn"><bdi>${item.text}</bdi> <a href=${(PLACES[item.kind] ?? (() => "/settings/system"))(item.ref)}>Show</a><//>
    </li>`)}</ul>
  </section>`;
}
