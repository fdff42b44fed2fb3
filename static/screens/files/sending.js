import { count, counted, size } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sendAgain } from "../../core/uploads.js";
import { Button } from "../../parts/button.js";
import { Note } from "../../parts/states.js";

/** Files whose failure is named. */
const NAMED_MAX = 5;

/** How far the sending is, and what could not be sent. @param {{ now: import("../../core/uploads.js").Sending }} props */
export function Sending({ now }) {
  const rest = now.unsent.length - NAMED_MAX;
  return html`<section class="card" aria-labelledby="sending-head">
    <h2 id="sending-head">${now.isOver ? "Not all was sent" : `Sending ${counted(now.files, "file")}`}</h2>
    ${!now.isOver && html`<progress class="progress" max=${Math.max(now.bytes, 1)} value=${now.sentBytes} aria-labelledby="sending-head"></progress>
      <p class="muted">${count(now.sentFiles)} of ${count(now.files)} files, ${size(now.sentBytes)} of ${size(now.bytes)}. Keep this tab open; you may look at other screens.</p>`}
    ${now.unsent.slice(0, NAMED_MAX).map(({ chosen, why }) => html`<${Note} key=${chosen.path} icon="triangle-alert" kind="bad"><bdi>${chosen.path}</bdi>: ${why}<//>`)}
    ${rest > 0 && html`<p class="muted">And ${counted(rest, "other file")}.</p>`}
    ${now.isOver && html`<div class="acts"><${Button} act=${sendAgain} icon="upload">Send them again<//></div>`}
  </section>`;
}
