import { useEffect, useRef } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { dismiss, messages } from "../core/messages.js";
import { Icon } from "./icon.js";

/** The messages, in the top layer, so that no dialog covers them. */
export function Toasts() {
  const region = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = messages.value;
  // What was opened last lies on top: a message that comes under an open dialog is brought above it.
  useEffect(() => {
    region.current?.hidePopover();
    if (shown.length > 0) region.current?.showPopover();
  }, [shown]);
  return html`<section ref=${region} class="toasts" popover="manual" aria-label="Messages">
    <div role="status" aria-live="polite">${shown.filter(({ kind }) => kind === "done").map((message) => html`<${Toast} key=${message.id} ...${message} />`)}</div>
    <div role="alert">${shown.filter(({ kind }) => kind === "failed").map((message) => html`<${Toast} key=${message.id} ...${message} />`)}</div>
  </section>`;
}

/** @param {{ id: number, kind: "done" | "failed", text: string }} props */
function Toast({ id, kind, text }) {
  return html`<p class="toast-message" data-kind=${kind}>
    <${Icon} name=${kind === "done" ? "circle-check" : "triangle-alert"} /><span>${text}</span>
    <button type="button" class="btn" data-variant="ghost" data-size="icon-sm" aria-label="Close the message" onClick=${() => dismiss(id)}><${Icon} name="x" /></button>
  </p>`;
}
