// A secret that is shown once: an agent's key, or the secret of a connection.

import { useState } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { CodeBox, Copy } from "./code.js";
import { Dialog } from "./dialog.js";
import { Note } from "./states.js";

/**
 * It cannot be left before the box is ticked. What it shows is nowhere else in the page, and gone from it when it closes.
 *
 * @param {{ title: string, about: string, secret: string, noun: "key" | "secret", notes?: string[], close: () => void, children?: any }} props
 *   `children` is what can be done with the secret at once
 */
export function SecretDialog({ title, about, secret, noun, notes = [], close, children }) {
  const [isStored, setStored] = useState(false);
  const tick = (/** @type {any} */ event) => setStored(event.currentTarget.checked);
  const footer = html`
    <label class="tick"><input type="checkbox" class="input" checked=${isStored} onChange=${tick} /><span>I have stored this ${noun}</span></label>
    <button type="button" class="btn" data-variant="primary" disabled=${!isStored} onClick=${close}>Done</button>
  `;
  return html`<${Dialog} title=${title} about=${about} close=${close} isHeld=${!isStored} wide footer=${footer}>
    <div class="secret">
      <code data-testid="secret" translate="no">${secret}</code>
      <${Copy} text=${secret} what=${noun} variant="primary" />
    </div>
    ${notes.map((note) => html`<${Note} key=${note} icon="info">${note}<//>`)}
    ${children}
  <//>`;
}

/** One of several texts, chosen by its name. @param {{ items: { name: string, text: string, hint?: string }[], label: string, what: string }} props */
export function Choices({ items, label, what }) {
  const [chosen, choose] = useState(0);
  const item = items[Math.min(chosen, items.length - 1)];
  if (!item) return null;
  return html`<div class="choices">
    <div class="choice-names" role="group" aria-label=${label}>
      ${items.map(({ name }, at) => html`<button type="button" key=${name} class="btn" data-variant=${at === chosen ? "secondary" : "ghost"} data-size="sm" aria-pressed=${at === chosen} onClick=${() => choose(at)}>${name}</button>`)}
    </div>
    ${item.hint && html`<p class="muted">${item.hint}</p>`}
    <${CodeBox} text=${item.text} name=${`${label}: ${item.name}`} what=${what} />
  </div>`;
}
