import { useRef } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { Icon } from "./icon.js";

/**
 * Acts that are asked for seldom, behind one button. It closes when one is chosen, when the focus leaves it, and with Escape; the focus
 * is on its button then, so that a dialog gives it back there.
 *
 * @param {{ label: string, items: { name: string, icon: string, act: () => void }[] }} props
 */
export function Menu({ label, items }) {
  const menu = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  const close = () => {
    if (!menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  };
  const leave = (/** @type {FocusEvent} */ event) => {
    if (menu.current && !menu.current.contains(/** @type {Node | null} */ (event.relatedTarget))) menu.current.open = false;
  };
  const escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") close();
  };
  const choose = (/** @type {() => void} */ act) => () => {
    close();
    act();
  };
  return html`<details ref=${menu} class="menu" onFocusOut=${leave} onKeyDown=${escape}>
    <summary class="btn" data-variant="ghost" data-size="icon-sm" aria-label=${label}><${Icon} name="ellipsis" /></summary>
    <div>${items.map(({ name, icon, act }) => html`<button type="button" key=${name} class="btn" data-variant="ghost" data-size="sm" onClick=${choose(act)}><${Icon} name=${icon} />${name}</button>`)}</div>
  </details>`;
}
