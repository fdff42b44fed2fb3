// A new filter: a field, what is to hold for it, and a value that fits its type.

import { useEffect, useId, useRef, useState } from "../../vendor/hooks.js";
import { html } from "../../core/html.js";
import { Field, Select } from "../../parts/field.js";
import { Icon } from "../../parts/icon.js";
import { conditions, RELATIVE_DAYS, RELATIVE_TIMES, takesValue } from "./operators.js";
import { fieldNames, fieldOf, isNumber, isTime, mainTime } from "./schema.js";

/** @param {import("./tools.js").ToolProps} props */
export function Filters({ schema, table, view, show }) {
  const names = fieldNames(schema, table);
  const [field, setField] = useState(mainTime(table) ?? names[0] ?? "id");
  const spec = fieldOf(schema, table, field);
  const choices = conditions(spec);
  const [chosen, setChosen] = useState("");
  const condition = choices.some(([operator]) => operator === chosen) ? chosen : (choices[0]?.[0] ?? "eq");
  const [value, setValue] = useState("");
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useEffect(() => form.current?.querySelector("select")?.focus(), []);

  const isChoice = spec.type === "boolean" || (spec.values !== undefined && !spec.more_values && (condition === "eq" || condition === "ne"));
  const options = spec.type === "boolean" ? /** @type {[string, string][]} */ ([["true", "yes"], ["false", "no"]]) : (spec.values ?? []);
  const given = isChoice && !options.some((option) => (Array.isArray(option) ? option[0] : option) === value) ? optionValue(options[0]) : value.trim();
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    const [operator = "", word] = condition.split(":");
    if (takesValue(condition) && given === "") return;
    show({ where: [...view.where, { field, operator, value: word ?? given }] });
    setValue("");
  };
  const change = (/** @type {string} */ name) => {
    setField(name);
    setValue("");
  };
  return html`<form ref=${form} class="data-panel filters" aria-label="New filter" onSubmit=${add}>
    <${Select} label="Field" value=${field} options=${names} change=${change} />
    <${Select} label="Condition" value=${condition} options=${choices} change=${setChosen} />
    ${takesValue(condition) && (isChoice ? html`<${Select} label="Value" value=${given} options=${options} change=${setValue} />` : html`<${ValueInput} spec=${spec} condition=${condition} value=${value} change=${setValue} />`)}
    <button type="submit" class="btn" data-variant="primary" disabled=${takesValue(condition) && given === ""}><${Icon} name="plus" />Apply filter</button>
  </form>`;
}

/** @param {string | [string, string] | undefined} option */
function optionValue(option) {
  return (Array.isArray(option) ? option[0] : option) ?? "";
}

/** @param {{ spec: import("./schema.js").FieldSpec, condition: string, value: string, change: (value: string) => void }} props */
function ValueInput({ spec, condition, value, change }) {
  const list = useId();
  const known = isTime(spec.type) ? (spec.type === "date" ? RELATIVE_DAYS : RELATIVE_TIMES) : (spec.values ?? []);
  const help = condition.endsWith("in") ? "Several, with commas between." : isTime(spec.type) ? "A day such as 2026-11-01, or relative: today-30d." : spec.unit ? `In ${spec.unit}.` : null;
  return html`<${Field} label="Value" help=${help}>${(/** @type {any} */ ids) => html`
    <input class="input" ...${ids} value=${value} list=${known.length > 0 ? list : undefined} inputmode=${isNumber(spec.type) ? "decimal" : undefined} autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ event) => change(event.currentTarget.value)} />
    ${known.length > 0 && html`<datalist id=${list}>${known.map((word) => html`<option key=${word} value=${word}></option>`)}</datalist>`}
  `}<//>`;
}
