import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Table } from "../../parts/table.js";

/** Rows and characters that are shown here; the JSON below has all of them. */
const ROWS_MAX = 20;
const CHARS_MAX = 300;

/** The rows of an answer, or the fields of its one record, as a small table; nothing for other answers. @param {{ answer: any }} props */
export function AnswerTable({ answer }) {
  if (answer.empty) return html`<p class="muted">${answer.empty.hint}</p>`;
  if (answer.record) return html`<${Table} name="The record it would get" columns=${FIELD_COLUMNS} rows=${Object.entries(answer.record)} keyOf=${(/** @type {any} */ row) => row[0]} />`;
  if (!Array.isArray(answer.rows)) return null;
  const columns = answer.columns.map((/** @type {string} */ name, /** @type {number} */ at) => ({
    name,
    of: (/** @type {any} */ row) => written(Array.isArray(row) ? row[at] : row[name]),
  }));
  const rows = answer.rows.slice(0, ROWS_MAX);
  return html`
    <p class="muted">It would get ${counted(answer.rows.length, "row")}${rows.length < answer.rows.length && `; the first ${rows.length} are shown`}.</p>
    <${Table} name="The rows it would get" columns=${columns} rows=${rows} keyOf=${(/** @type {any} */ row) => String(rows.indexOf(row))} />
  `;
}

const FIELD_COLUMNS = [
  { name: "Field", class: "mono", of: (/** @type {any} */ row) => row[0] },
  { name: "Value", of: (/** @type {any} */ row) => written(row[1]) },
];

/** A value in the digits and words it came in. @param {any} value */
function written(value) {
  if (value === null || value === undefined) return html`<span class="muted">–</span>`;
  const text = typeof value === "string" || typeof value.toJSON === "function" || typeof value !== "object" ? String(value) : JSON.stringify(value);
  return html`<bdi>${text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text}</bdi>`;
}
