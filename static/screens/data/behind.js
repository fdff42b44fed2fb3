// What other sources have of the same as a record that is served once.

import { html } from "../../core/html.js";
import { RecordField } from "./record-field.js";

/** The rows behind a record, and why it is served in their place. @param {{ rows?: any[], common: any }} props `common` is what every field of the record is shown with */
export function Behind({ rows = [], common }) {
  if (rows.length === 0) return null;
  return html`<section class="behind"><h2>Other sources have it too</h2>
    ${rows.map((row) => html`<section key=${row.id} class="behind">
      <h3><bdi>${row.connection}</bdi></h3>
      <p class="muted">Not served beside this record: ${row.because}.</p>
      ${row.raw !== null && html`<dl class="data-fields"><${RecordField} ...${common} untrusted=${["raw"]} name="raw" value=${row.raw} /></dl>`}
    </section>`)}
  </section>`;
}
