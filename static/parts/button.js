import { useState } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { sayFailed } from "../core/messages.js";
import { Icon } from "./icon.js";

/**
 * A button that says what it does: verb and object. While its act runs it is marked busy and takes no second press; a failure is said
 * aloud unless `act` handles it.
 *
 * @param {{ act: () => unknown, icon?: string, variant?: "primary" | "outline" | "ghost" | "destructive", size?: "sm", children: any,
 *   disabled?: boolean, label?: string, class?: string }} props `label` replaces the text for who cannot see it
 */
export function Button({ act, icon, variant = "outline", size, children, disabled = false, label, class: className = "" }) {
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return html`<button type="button" class="btn ${className}" data-variant=${variant} data-size=${size} aria-busy=${isBusy} aria-label=${label} disabled=${disabled} onClick=${press}>
    ${icon && html`<${Icon} name=${icon} />`}${children}
  </button>`;
}

/**
 * A link that looks like a button.
 *
 * @param {{ href: string, icon?: string, variant?: string, size?: string, children: any, download?: boolean, inNewTab?: boolean }} props
 */
export function ButtonLink({ href, icon, variant = "outline", size, children, download, inNewTab = false }) {
  const tab = inNewTab ? { target: "_blank", rel: "noopener noreferrer" } : {};
  return html`<a class="btn" data-variant=${variant} data-size=${size} href=${href} download=${download} ...${tab}>${icon && html`<${Icon} name=${icon} />`}${children}</a>`;
}
