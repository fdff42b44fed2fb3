import { html } from "../core/html.js";

/** On or off, saved at once by who listens. @param {{ label: any, isOn: boolean, change: (isOn: boolean) => void, disabled?: boolean, describedBy?: string, children?: any }} props */
export function Switch({ label, isOn, change, disabled = false, describedBy, children }) {
  const toggle = (/** @type {any} */ event) => change(event.currentTarget.checked);
  return html`<label class="switch" data-on=${isOn} data-disabled=${disabled}>
    <span class="switch-text"><span>${label}</span>${children}</span>
    <input type="checkbox" role="switch" class="input" checked=${isOn} disabled=${disabled} aria-describedby=${describedBy} onChange=${toggle} />
  </label>`;
}
