import { go } from "../core/address.js";
import { call } from "../core/call.js";
import { count, counted, size } from "../core/format.js";
import { html } from "../core/html.js";
import { useResource } from "../core/resource.js";
import { ButtonLink } from "../parts/button.js";
import { PageHead } from "../parts/page-head.js";
import { Loaded } from "../parts/states.js";
import { Table } from "../parts/table.js";
import { Time } from "../parts/time.js";
import { DropZone } from "./files/drop-zone.js";
import { UploadState } from "./files/upload-state.js";

/** Bringing files: what is dropped here is checked first, and stored when the person says so. */
export function Files() {
  const uploads = useResource((signal) => call("GET /api/uploads", { signal }), [], { on: ["upload"] });
  return html`
    <${PageHead} title="Files" about="Mail, calendars, contacts, bank statements, Apple Health: they are checked first, and stored when you say so.">
      <${ButtonLink} href="/connections" icon="plug">All connections<//>
    <//>
    <${DropZone} begun=${(/** @type {string} */ id) => go(`/connections/files/${id}`)} />
    <${Loaded} of=${uploads} what="the uploads" lines=${3}>${(/** @type {any} */ answer) => answer.uploads.length > 0 && html`<${Uploads} uploads=${answer.uploads} />`}<//>
  `;
}

/** @param {{ uploads: any[] }} props */
function Uploads({ uploads }) {
  const columns = [
    { name: "Brought", class: "nowrap", of: (/** @type {any} */ job) => html`<a href=${`/connections/files/${job.id}`}><${Time} at=${job.createdAt} /></a>` },
    { name: "State", of: (/** @type {any} */ job) => html`<${UploadState} state=${job.state} />` },
    { name: "Files", isNumber: true, of: (/** @type {any} */ job) => count(job.filesReceived) },
    { name: "Size", isNumber: true, of: (/** @type {any} */ job) => size(job.bytesReceived) },
    { name: "Records", isNumber: true, of: (/** @type {any} */ job) => count(job.totals.taken) },
  ];
  return html`<section class="stack" aria-labelledby="uploads-head">
    <h2 id="uploads-head">Brought lately</h2>
    <p class="muted">${counted(uploads.length, "upload")}, kept for a day with their files.</p>
    <${Table} name="Uploads" columns=${columns} rows=${uploads} keyOf=${(/** @type {any} */ job) => job.id} />
  </section>`;
}
