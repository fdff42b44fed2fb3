import { html } from "../../core/html.js";
import { Field } from "../../parts/field.js";

/** Lines of a text in PEM form that are seen at once. */
const PEM_LINES = 5;
/** The fields whose text is in PEM form, and how it begins. @type {Record<string, string>} */
const PEM_HEADS = { certificate: "-----BEGIN CERTIFICATE-----", key: "-----BEGIN PRIVATE KEY-----" };

/** @typedef {{ field?: string, message: string }} Fault a refusal, at a field or of the whole */
/** @typedef {{ name: string, label: string, kind: string, optional: boolean, help: string }} ProviderField */

/**
 * What a source asks for, as its provider describes it.
 *
 * @param {{ fields: ProviderField[], values: Record<string, string>, fault: Fault | null, set: (name: string, value: string) => void, isHeld?: boolean }} props
 */
export function ProviderFields({ fields, values, fault, set, isHeld = false }) {
  return fields.map((field) => {
    const label = html`${field.label}${field.optional && html` <span class="muted">(optional)</span>`}`;
    const type = (/** @type {any} */ event) => set(field.name, event.currentTarget.value);
    const own = { value: values[field.name] ?? "", name: field.name, onInput: type, autocomplete: "off", spellcheck: false, readonly: isHeld, required: !field.optional };
    return html`<${Field} key=${field.name} label=${label} help=${field.help} error=${fault?.field === field.name ? fault.message : null}>${(/** @type {any} */ ids) =>
      PEM_HEADS[field.kind]
        ? html`<textarea ...${ids} ...${own} class="textarea mono" rows=${PEM_LINES} placeholder=${PEM_HEADS[field.kind]}></textarea>`
        : html`<input ...${ids} ...${own} class="input" type=${field.kind === "secret" ? "password" : "text"} inputmode=${field.kind === "address" ? "url" : undefined} autocapitalize="none" />`}<//>`;
  });
}

/** What was entered, without what was left empty. @param {ProviderField[]} fields @param {Record<string, string>} values */
export function entered(fields, values) {
  const filled = fields.map(({ name }) => [name, (values[name] ?? "").trim()]).filter(([, value]) => value !== "");
  return Object.fromEntries(filled);
}

/** The first field that must be filled and is not. @param {ProviderField[]} fields @param {Record<string, string>} values @returns {Fault | null} */
export function missing(fields, values) {
  const field = fields.find(({ name, optional }) => !optional && (values[name] ?? "").trim() === "");
  return field ? { field: field.name, message: `${field.label} is needed.` } : null;
}

/** Puts the focus on the field that was refused. @param {HTMLElement | null} form @param {Fault | null} fault */
export function focusFault(form, fault) {
  const field = fault?.field && form?.querySelector(`[name="${CSS.escape(fault.field)}"]`);
  if (field instanceof HTMLElement) field.focus();
}
