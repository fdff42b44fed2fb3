import { useRef, useState } from "../../vendor/hooks.js";
import { count } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";

/** How much of a text is rendered before it is asked for. */
const SHOWN_CHARS = 20_000;

/**
 * A text whole, but a long one only from its beginning until all of it is asked for; one that the answer has cut goes on in pieces.
 *
 * @param {{ text: string, what: string, rest?: { from: number, bytes: number } | null, readOn?: () => Promise<unknown> }} props
 */
export function LongText({ text, what, rest = null, readOn }) {
  const [isWhole, setWhole] = useState(false);
  const shown = useRef(/** @type {HTMLElement | null} */ (null));
  // The button goes with its act; the focus goes to what it has shown.
  const showAll = () => {
    setWhole(true);
    shown.current?.focus({ preventScroll: true });
  };
  const readMore = async () => {
    await readOn?.();
    shown.current?.focus({ preventScroll: true });
  };
  const isShort = isWhole || text.length <= SHOWN_CHARS;
  return html`<div class="data-text" ref=${shown} tabindex="-1"><bdi>${isShort ? text : text.slice(0, SHOWN_CHARS)}</bdi></div>
    ${!isShort && html`<p class="acts"><span class="muted">${count(SHOWN_CHARS)} of ${count(text.length)} characters.</span>
      <${Button} act=${showAll} size="sm">Show all<span class="sr-only"> of ${what}</span><//></p>`}
    ${isShort && rest && readOn && html`<p class="acts"><span class="muted">Read to byte ${count(rest.from)} of ${count(rest.bytes)}.</span>
      <${Button} act=${readMore} size="sm">Read on<span class="sr-only"> in ${what}</span><//></p>`}`;
}
