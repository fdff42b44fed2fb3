// Dialogs by the platform's <dialog>: focus goes in, stays in, and returns to what opened it.

import { useId, useLayoutEffect, useRef } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { Icon } from "./icon.js";

/**
 * A dialog that is open while it is rendered.
 *
 * @param {{ title: any, about?: any, close: () => void, isHeld?: boolean, isAlert?: boolean, wide?: boolean, children?: any, footer?: any }} props
 *   `isHeld` refuses Escape and the cross; `isAlert` asks before an act
 */
export function Dialog({ title, about, close, isHeld = false, isAlert = false, wide = false, children, footer }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  // Before the next key is taken, and closed before it leaves the page: only an open dialog gives the focus back. One dialog that
  // follows another would otherwise find the first one's button, and return the focus to nothing.
  useLayoutEffect(() => {
    const own = dialog.current;
    own?.showModal();
    return () => own?.close();
  }, []);
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isHeld) close();
  };
  // A second Escape would close a held dialog whatever its "cancel" says.
  const hold = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (!isHeld) close();
  };
  return html`<dialog ref=${dialog} class=${isAlert ? "alert-dialog" : "dialog"} role=${isAlert ? "alertdialog" : undefined} aria-labelledby=${`${id}-title`}
    aria-describedby=${about ? `${id}-about` : undefined} onCancel=${cancel} onKeyDown=${hold}>
    <div data-wide=${wide}>
      <header><h2 id=${`${id}-title`}>${title}</h2>${about && html`<p id=${`${id}-about`}>${about}</p>`}</header>
      ${children && html`<section>${children}</section>`}
      ${footer && html`<footer>${footer}</footer>`}
      ${!isHeld && !isAlert && html`<button type="button" class="btn dialog-close" data-variant="ghost" data-size="icon-sm" aria-label="Close" onClick=${close}><${Icon} name="x" /></button>`}
    </div>
  </dialog>`;
}
