// Groups instead of rows: by which fields or intervals of time, and what is computed for each.

import { useState } from "../../vendor/hooks.js";
import { html } from "../../core/html.js";
import { Select } from "../../parts/field.js";
import { Icon } from "../../parts/icon.js";
import { fieldNames, fieldOf, isNumber, isTime } from "./schema.js";

const BUCKETS = ["hour", "day", "week", "month", "quarter", "year", "weekday"];

/** The groups that the catalogue shows as an example. @param {import("./schema.js").Table} table */
export function usualGroups(table) {
  const example = table.examples.find(({ group_by }) => group_by);
  return { by: /** @type {string[]} */ (example?.group_by ?? []), of: /** @type {string[]} */ (Object.values(example?.aggregate ?? { n: "count" })) };
}

/** @param {import("./tools.js").ToolProps} props */
export function Groups({ schema, table, view, show }) {
  const names = fieldNames(schema, table);
  const keys = names.filter((name) => !["json", "text list", "integer list"].includes(fieldOf(schema, table, name).type));
  const [key, setKey] = useState(keys[0] ?? "");
  const [bucket, setBucket] = useState("month");
  const [sum, setSum] = useState("count");
  const of = names.filter((name) => fits(sum, fieldOf(schema, table, name).type));
  const [chosen, setChosen] = useState("");
  const field = of.includes(chosen) ? chosen : (of.find((name) => isNumber(fieldOf(schema, table, name).type)) ?? of[0] ?? "");
  const type = fieldOf(schema, table, key).type;
  const buckets = BUCKETS.filter((word) => type !== "date" || word !== "hour");
  const newKey = isTime(type) && bucket !== "" ? `${key}:${bucket}` : key;
  const newSum = sum === "count" ? "count" : `${sum}(${field})`;
  const add = (/** @type {"by" | "of"} */ list, /** @type {string} */ word) => (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!view[list].includes(word)) show({ [list]: [...view[list], word] });
  };
  const drop = (/** @type {"by" | "of"} */ list, /** @type {string} */ word) => show({ [list]: view[list].filter((other) => other !== word) });
  return html`<div class="data-panel data-groups">
    <form class="filters" aria-label="Groups" onSubmit=${add("by", newKey)}>
      <${Words} label="Groups by" none="all rows in one" words=${view.by} drop=${(/** @type {string} */ word) => drop("by", word)} />
      <${Select} label="Field" value=${key} options=${keys} change=${setKey} />
      ${isTime(type) && html`<${Select} label="Interval" value=${bucket} options=${[["", "each value"], ...buckets]} change=${setBucket} />`}
      <button type="submit" class="btn" data-variant="outline" disabled=${view.by.includes(newKey)}><${Icon} name="plus" />Add group</button>
    </form>
    <form class="filters" aria-label="Sums" onSubmit=${add("of", newSum)}>
      <${Words} label="For each" none="count" words=${view.of} drop=${(/** @type {string} */ word) => drop("of", word)} />
      <${Select} label="Compute" value=${sum} options=${FUNCTIONS} change=${setSum} />
      ${sum !== "count" && html`<${Select} label="Of" value=${field} options=${of} change=${setChosen} />`}
      <button type="submit" class="btn" data-variant="outline" disabled=${view.of.includes(newSum)}><${Icon} name="plus" />Add column</button>
    </form>
  </div>`;
}

const FUNCTIONS = /** @type {[string, string][]} */ ([["count", "number of rows"], ["count_distinct", "number of values"], ["sum", "sum"], ["avg", "average"], ["min", "least"], ["max", "greatest"], ["median", "median"]]);

/** Whether a function can be computed of a type. @param {string} name @param {string} type */
function fits(name, type) {
  if (name === "count_distinct") return type !== "json";
  if (name === "min" || name === "max") return isNumber(type) || type === "text" || isTime(type);
  return isNumber(type);
}

/** @param {{ label: string, none: string, words: string[], drop: (word: string) => void }} props */
function Words({ label, none, words, drop }) {
  const remove = (/** @type {any} */ event, /** @type {string} */ word) => {
    const form = event.currentTarget.closest("form");
    const next = event.currentTarget.closest("li")?.nextElementSibling?.querySelector("button") ?? form?.querySelector("select");
    drop(word);
    if (next instanceof HTMLElement) next.focus();
  };
  return html`<div class="words"><span class="label">${label}</span>
    ${words.length === 0 ? html`<span class="muted">${none}</span>` : html`<ul class="data-chips" aria-label=${label}>${words.map((word) => html`<li key=${word}><span class="chip">${word}
      <button type="button" class="btn" data-variant="ghost" data-size="icon-sm" aria-label=${`Remove ${word}`} onClick=${(/** @type {Event} */ event) => remove(event, word)}><${Icon} name="x" /></button></span></li>`)}</ul>`}
  </div>`;
}
