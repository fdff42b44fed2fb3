// One value of the data, as its type is written: numbers in the digits they were sent in, days as they are, instants in the service's zone.

import { html } from "../../core/html.js";
import { ExactNumber } from "../../core/json.js";
import { dateTime } from "../../core/time.js";
import { unfence } from "./text.js";

/** How much of a text a cell of a table renders. */
const CELL_CHARS_MAX = 300;

/** @typedef {import("./schema.js").FieldSpec} FieldSpec */

/** A value in a cell. @param {{ value: any, field: FieldSpec }} props */
export function Value({ value, field }) {
  if (value === null || value === undefined) return html`<span class="none">–</span>`;
  return html`${shown(value, field)}`;
}

/** @param {any} value @param {FieldSpec} field */
function shown(value, field) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (field.type === "timestamp" && isInstant(value)) return html`<time datetime=${value} title=${value}>${instant(value)}</time>`;
  if (field.type === "date") return html`<time datetime=${value}>${String(value)}</time>`;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return html`<bdi>${short(value.join(", "))}</bdi>`;
  if (typeof value === "object" && !(value instanceof ExactNumber)) return html`<bdi class="mono">${short(JSON.stringify(value))}</bdi>`;
  return html`<bdi>${short(unfence(String(value), Boolean(field.untrusted)).text)}</bdi>`;
}

/** An instant to the minute, or to the second where it has one. @param {string} value */
function instant(value) {
  return dateTime(value, !/:00(\.0+)?Z$/.test(value));
}

/** @param {any} value */
function isInstant(value) {
  return typeof value === "string" && value.includes("T");
}

/** @param {string} text */
function short(text) {
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
}

/** A value in one line of text, for a name. @param {any} value @param {FieldSpec} field */
export function asText(value, field) {
  if (value === null || value === undefined) return "";
  if (field.type === "timestamp" && isInstant(value)) return instant(value);
  return short(unfence(typeof value === "object" && !(value instanceof ExactNumber) ? JSON.stringify(value) : String(value), Boolean(field.untrusted)).text);
}

/** The head of a column: its name, and the unit of its numbers. @param {{ name: string, field: FieldSpec }} props */
export function FieldName({ name, field }) {
  return html`<span class="field-name">${name}${field.unit && html` <span class="unit">${field.unit}</span>`}</span>`;
}
