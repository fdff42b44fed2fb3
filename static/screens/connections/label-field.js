import { html } from "../../core/html.js";
import { Field } from "../../parts/field.js";

/** The longest label. */
export const LABEL_CHARS_MAX = 100;

/**
 * What the connections of a source are to be called.
 *
 * @param {{ value: string, placeholder: string, fault: import("./provider-fields.js").Fault | null, set: (name: string, value: string) => void, isHeld: boolean }} props
 */
export function LabelField({ value, placeholder, fault, set, isHeld }) {
  const label = html`Label <span class="muted">(optional)</span>`;
  const type = (/** @type {any} */ event) => set("label", event.currentTarget.value);
  return html`<${Field} label=${label} help="As it stands in the list and as agents see it." error=${fault?.field === "label" ? fault.message : null}>${(/** @type {any} */ ids) =>
    html`<input ...${ids} class="input" name="label" value=${value} placeholder=${placeholder} maxlength=${LABEL_CHARS_MAX} autocomplete="off" readonly=${isHeld} onInput=${type} />`}<//>`;
}
