import { useState } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Note } from "./states.js";

/**
 * Asks before an act that cannot be taken back by the same control. The focus is on Cancel; the text says the consequence in numbers.
 *
 * @param {{ title: string, about: any, verb: string, typed?: string, act: () => Promise<unknown>, close: () => void, children?: any }} props
 *   `verb` names the act ("Revoke claude"); `typed` is a word to be typed first
 */
export function Confirm({ title, about, verb, typed, act, close, children }) {
  const [word, setWord] = useState("");
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const confirm = async () => {
    try {
      await act();
      close();
    } catch (error) {
      setError(/** @type {Error} */ (error));
    }
  };
  const footer = html`
    <button type="button" class="btn" data-variant="outline" autofocus onClick=${close}>Cancel</button>
    <${Button} act=${confirm} variant="destructive" disabled=${typed !== undefined && word !== typed}>${verb}<//>
  `;
  return html`<${Dialog} title=${title} about=${about} close=${close} isAlert footer=${footer}>
    ${children}
    ${typed !== undefined &&
    html`<label class="field"><span class="label">Type <code>${typed}</code> to confirm</span>
      <input class="input" value=${word} autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ event) => setWord(event.currentTarget.value)} /></label>`}
    ${error && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${error.message}</span><//>`}
  <//>`;
}
