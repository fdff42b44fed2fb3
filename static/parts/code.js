import { useState } from "../vendor/hooks.js";
import { html } from "../core/html.js";
import { sayDone } from "../core/messages.js";
import { Button } from "./button.js";

/** How long a button says that it has copied, ms. */
const TOLD_MS = 2_000;

/** Puts a text on the clipboard. Under another name than this computer's own, over plain HTTP, browsers have the older way alone. @param {string} text */
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const put = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", put);
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", put);
  if (!isCopied) throw new Error("This browser lets nothing be copied from here. Mark the text, and copy it by hand.");
}

/** Copies a text. @param {{ text: string, what: string, variant?: "primary" | "outline" | "ghost" }} props `what` completes "Copy …" */
export function Copy({ text, what, variant = "outline" }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    sayDone(`Copied the ${what}.`);
    setTimeout(() => setCopied(false), TOLD_MS);
  };
  return html`<${Button} act=${copy} icon=${isCopied ? "check" : "copy"} size="sm" variant=${variant}>Copy ${what}<//>`;
}

/** A text to be copied, as it is. @param {{ text: string, name: string, what?: string, testId?: string }} props `name` for who cannot see it */
export function CodeBox({ text, name, what, testId }) {
  return html`<div class="code-box">
    <pre tabindex="0" role="region" aria-label=${name} data-testid=${testId}><code>${text}</code></pre>
    ${what && html`<div class="acts"><${Copy} text=${text} what=${what} /></div>`}
  </div>`;
}

/** A line to be copied whole. @param {{ text: string, what: string }} props `what` completes "Copy …" */
export function CopyLine({ text, what }) {
  return html`<div class="copy-line"><code translate="no">${text}</code><${Copy} text=${text} what=${what} /></div>`;
}
