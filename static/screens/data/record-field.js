// One field of a record: its name, type and unit beside its value, which leads to another record where it refers to one.

import { useState } from "../../vendor/hooks.js";
import { classes, html } from "../../core/html.js";
import { ExactNumber } from "../../core/json.js";
import { Icon } from "../../parts/icon.js";
import { LongText } from "./long-text.js";
import { fieldOf, linkOf } from "./schema.js";
import { unfence } from "./text.js";
import { Value } from "./value.js";

/** The longest object that is shown in a line. */
const LINE_CHARS = 200;

/**
 * @param {{ reader: import("./reader.js").Reader, schema: import("./schema.js").Schema, sector: string, table: import("./schema.js").Table, id: string,
 *   untrusted: string[], name: string, value: any, called?: string }} props `called` names the record that a reference means
 */
export function RecordField({ reader, schema, sector, table, id, untrusted, name, value, called }) {
  const isForeign = untrusted.includes(name);
  const isSent = !(name in table.fields) && !(name in schema.every_record);
  const field = { ...fieldOf(schema, table, name), untrusted: isForeign, ...(isSent && { type: "json" }) };
  return html`<div class=${classes("data-field", isForeign && "foreign")}>
    <dt><span>${name}</span><small>${[field.type, field.unit].filter(Boolean).join(", ")}</small>${isForeign && html`<small class="others"><${Icon} name="quote" />others wrote this</small>`}</dt>
    <dd>${content({ reader, sector, table, id, name, field, value, called })}</dd>
  </div>`;
}

/** @param {{ reader: import("./reader.js").Reader, sector: string, table: import("./schema.js").Table, id: string, name: string, field: any, value: any, called?: string }} props */
function content({ reader, sector, table, id, name, field, value, called }) {
  if (Array.isArray(value) && table.joins?.[name]) {
    return html`<ul class="data-list">${value.map((one) => html`<li key=${String(one)}><a href=${linkOf(reader.base, table, name, one)}><bdi>${String(one)}</bdi></a></li>`)}</ul>`;
  }
  const link = linkOf(reader.base, table, name, value);
  if (link && called) return html`<a href=${link}><bdi>${called}</bdi></a> <span class="mono muted">${String(value)}</span>`;
  if (link) return html`<a href=${link} class=${field.type === "id" ? "mono" : ""}><bdi>${String(value)}</bdi></a>`;
  if (typeof value === "string" && field.type !== "timestamp" && field.type !== "date") return html`<${Text} reader=${reader} sector=${sector} id=${id} name=${name} sent=${value} isUntrusted=${field.untrusted} isMono=${field.type === "id"} />`;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")) return html`<ul class="data-list">${value.map((one, at) => html`<li key=${at}><bdi>${one}</bdi></li>`)}</ul>`;
  if (Array.isArray(value) && value.length > 0 && value.every(isFlat)) return html`<ul class="data-list">${value.map((one, at) => html`<li key=${at}>${Object.entries(one).map(([key, part]) => html`<span key=${key} class="pair"><span class="key">${key}</span><bdi>${String(part)}</bdi></span>`)}</li>`)}</ul>`;
  if (typeof value === "object" && !(value instanceof ExactNumber)) return html`<div class="mono"><${LongText} text=${JSON.stringify(value, null, 2)} what=${name} /></div>`;
  return html`<${Value} value=${value} field=${field} />`;
}

/** Whether a value is an object of short values, to be read in one line. @param {any} value */
function isFlat(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof ExactNumber) && Object.values(value).every((part) => part === null || typeof part !== "object" || part instanceof ExactNumber) && JSON.stringify(value).length <= LINE_CHARS;
}

/** A text, and its next pieces where the answer has cut it. @param {{ reader: import("./reader.js").Reader, sector: string, id: string, name: string, sent: string, isUntrusted: boolean, isMono: boolean }} props */
function Text({ reader, sector, id, name, sent, isUntrusted, isMono }) {
  const first = unfence(sent, isUntrusted);
  const [more, setMore] = useState(/** @type {{ text: string, rest: any } | null} */ (null));
  const shown = more ?? first;
  const readOn = async () => {
    const answer = await reader.record(sector, id, { field: name, from: shown.rest.from });
    const next = unfence(String(answer.record[name]), isUntrusted);
    setMore({ text: shown.text + next.text, rest: next.rest });
  };
  return html`<div class=${isMono ? "mono" : ""}><${LongText} text=${shown.text} what=${name} rest=${shown.rest} readOn=${readOn} /></div>`;
}
