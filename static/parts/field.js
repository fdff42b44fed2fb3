import { useId } from "../vendor/hooks.js";
import { html } from "../core/html.js";

/**
 * A labelled control with its help and its error.
 *
 * @param {{ label: any, help?: any, error?: string | null, children: (ids: { id: string, "aria-describedby"?: string, "aria-invalid"?: boolean }) => any }} props
 */
export function Field({ label, help, error, children }) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return html`<div class="field" data-invalid=${error ? true : undefined}>
    <label for=${id}>${label}</label>
    ${children({ id, "aria-describedby": described, "aria-invalid": error ? true : undefined })}
    ${help && html`<p id=${`${id}-help`}>${help}</p>`}
    ${error && html`<p id=${`${id}-error`} class="field-error" role="alert">${error}</p>`}
  </div>`;
}

/** A choice of one. @param {{ label: string, value: string, options: (string | [string, string])[], change: (value: string) => void, hideLabel?: boolean }} props options as value, or value and text */
export function Select({ label, value, options, change, hideLabel = false }) {
  const id = useId();
  const choose = (/** @type {any} */ event) => change(event.currentTarget.value);
  return html`<div class="field select-field">
    <label for=${id} class=${hideLabel ? "sr-only" : ""}>${label}</label>
    <select id=${id} class="select" value=${value} onChange=${choose}>
      ${options.map((option) => {
        const [own, text] = Array.isArray(option) ? option : [option, option];
        return html`<option key=${own} value=${own} selected=${own === value}>${text}</option>`;
      })}
    </select>
  </div>`;
}
