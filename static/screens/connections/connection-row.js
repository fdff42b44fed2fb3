import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { Button } from "../../parts/button.js";
import { SampleMark } from "../../parts/sector.js";
import { State } from "../../parts/state.js";
import { Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { Disconnect, RotateSecret } from "./acts.js";

/** One connection in the list. @param {{ connection: any, changed: () => void, showSecret: (made: any) => void }} props */
export function ConnectionRow({ connection, changed, showSecret }) {
  return html`<article class="card connection-row" aria-label=${connection.label}>
    <header>
      <div class="stack-small">
        <h3><a href=${`/connections/${connection.id}`}><bdi>${connection.label}</bdi></a> ${connection.isSample && html`<${SampleMark} />`}</h3>
        <${ConnectionFacts} connection=${connection} />
      </div>
      <${ConnectionActs} connection=${connection} changed=${changed} showSecret=${showSecret} />
    </header>
    ${connection.state === "paused" && html`<${Note} icon="circle-pause">Paused. Pushes to it are answered 401.<//>`}
    ${connection.error && html`<${Note} icon="triangle-alert" kind="bad"><bdi>${connection.error.message}</bdi><//>`}
  </article>`;
}

/** How a connection stands, in one line. @param {{ connection: any }} props */
export function ConnectionFacts({ connection }) {
  const isPaused = connection.state === "paused";
  return html`<p class="facts">
    ${isPaused ? html`<${State} kind="quiet" icon="circle-pause">Paused<//>` : html`<${State} kind=${connection.error ? "bad" : "good"} icon=${connection.error ? "triangle-alert" : "circle-check"}>${connection.error ? "Failing" : "Active"}<//>`}
    <code>${connection.table}</code>
    <span>Last push <${Time} at=${connection.lastSyncAt} /></span>
    ${!connection.hasIngestSecret && !connection.isSample && html`<span>no secret</span>`}
  </p>`;
}

/** @param {{ connection: any, changed: () => void, showSecret: (made: any) => void, gone?: () => void }} props */
export function ConnectionActs({ connection, changed, showSecret, gone = changed }) {
  const [asks, setAsks] = useState(/** @type {"rotate" | "disconnect" | null} */ (null));
  const close = () => setAsks(null);
  const isPaused = connection.state === "paused";
  const toggle = async () => {
    await call(isPaused ? "POST /api/connections/{id}/resume" : "POST /api/connections/{id}/pause", { path: { id: connection.id } });
    sayDone(isPaused ? `Resumed ${connection.label}.` : `Paused ${connection.label}. Pushes to it are answered 401.`);
    changed();
  };
  return html`<div class="acts">
    <${Button} act=${toggle} icon=${isPaused ? "play" : "pause"} size="sm" label=${`${isPaused ? "Resume" : "Pause"} ${connection.label}`}>${isPaused ? "Resume" : "Pause"}<//>
    ${!connection.isSample && html`<${Button} act=${() => setAsks("rotate")} icon="rotate-ccw-key" size="sm" variant="ghost" label=${`Rotate secret of ${connection.label}`}>Rotate secret<//>`}
    <${Button} act=${() => setAsks("disconnect")} icon="unplug" size="sm" variant="ghost" label=${`Disconnect ${connection.label}`}>Disconnect<//>
    ${asks === "rotate" && html`<${RotateSecret} connection=${connection} close=${close} done=${(/** @type {any} */ answer) => (changed(), showSecret({ connection, ...answer }))} />`}
    ${asks === "disconnect" && html`<${Disconnect} connection=${connection} close=${close} done=${gone} />`}
  </div>`;
}
