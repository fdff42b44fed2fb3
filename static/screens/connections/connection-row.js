import { useState } from "../../vendor/hooks.js";
import { sentence } from "../../core/call.js";
import { html } from "../../core/html.js";
import { isListenedTo, isPulled, standingOf } from "../../core/pulled.js";
import { providerName } from "../../core/providers.js";
import { now } from "../../core/time.js";
import { Button } from "../../parts/button.js";
import { SampleMark } from "../../parts/sector.js";
import { State } from "../../parts/state.js";
import { Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { Disconnect, RotateSecret } from "./acts.js";
import { PauseButton, pausedMeans } from "./pause-button.js";
import { PulledActs } from "./pulled-acts.js";
import { RunsStrip } from "./runs-strip.js";

/** One connection in the list, with its last runs. @param {{ connection: any, changed: () => void, showSecret: (made: any) => void }} props */
export function ConnectionRow({ connection, changed, showSecret }) {
  return html`<article class="card connection-row" aria-label=${connection.label}>
    <header>
      <div class="stack-small">
        <h3><a href=${`/connections/${connection.id}`}><bdi>${connection.label}</bdi></a> ${connection.isSample && html`<${SampleMark} />`}</h3>
        <${ConnectionFacts} connection=${connection} />
      </div>
      <div class="connection-side">
        ${connection.lastRuns?.length > 0 && html`<${RunsStrip} runs=${connection.lastRuns} />`}
        <${ConnectionActs} connection=${connection} changed=${changed} showSecret=${showSecret} />
      </div>
    </header>
    <${ConnectionNotes} connection=${connection} />
  </article>`;
}

/** How a connection stands, in one line. @param {{ connection: any }} props */
export function ConnectionFacts({ connection }) {
  const { kind, icon, word } = standingOf(connection, now.value);
  const isRead = isPulled(connection);
  return html`<p class="facts">
    <${State} kind=${kind} icon=${icon}>${word}<//>
    ${isRead ? html`<span>${providerName(connection.provider)}</span>${connection.account && html`<bdi>${connection.account}</bdi>`}` : html`<code>${connection.table}</code>`}
    ${(connection.lastSyncAt || !isRead) && html`<span>Last ${isRead ? "sync" : "push"} <${Time} at=${connection.lastSyncAt} /></span>`}
    ${isRead && hasNext(connection) && html`<${Next} at=${connection.nextSyncAt} />`}
    ${!isRead && !connection.hasIngestSecret && !connection.isSample && html`<span>no secret</span>`}
  </p>`;
}

/** Whether the time of the next round says something: none under way, none that is told with a failure, no source that tells its changes. @param {any} connection */
function hasNext(connection) {
  const { nextSyncAt, health } = connection;
  return nextSyncAt && health !== "syncing" && standingOf(connection, now.value).group === "active" && !(isListenedTo(connection) && health === "ok");
}

/** When the next round is; one whose time has come waits for its turn. @param {{ at: string }} props */
function Next({ at }) {
  return Date.parse(at) > now.value ? html`<span>next <${Time} at=${at} /></span>` : html`<span>next <time datetime=${at}>now</time></span>`;
}

/** What a pause means, and the problem in words. @param {{ connection: any }} props */
export function ConnectionNotes({ connection }) {
  return html`
    ${connection.state === "paused" && html`<${Note} icon="circle-pause">Paused. ${pausedMeans(connection)}<//>`}
    ${connection.error && html`<${Note} icon="triangle-alert" kind=${connection.health === "ok" ? "warn" : "bad"}><bdi>${sentence(connection.error.message)}</bdi><//>`}
  `;
}

/** @param {{ connection: any, changed: () => void, showSecret: (made: any) => void, gone?: () => void }} props */
export function ConnectionActs({ connection, changed, showSecret, gone = changed }) {
  if (isPulled(connection)) return html`<${PulledActs} connection=${connection} changed=${changed} gone=${gone} />`;
  return html`<${PushActs} connection=${connection} changed=${changed} showSecret=${showSecret} gone=${gone} />`;
}

/** @param {{ connection: any, changed: () => void, showSecret: (made: any) => void, gone: () => void }} props */
function PushActs({ connection, changed, showSecret, gone }) {
  const [asks, setAsks] = useState(/** @type {"rotate" | "disconnect" | null} */ (null));
  const close = () => setAsks(null);
  return html`<div class="acts">
    <${PauseButton} connection=${connection} changed=${changed} />
    ${!connection.isSample && html`<${Button} act=${() => setAsks("rotate")} icon="rotate-ccw-key" size="sm" variant="ghost" label=${`Rotate secret of ${connection.label}`}>Rotate secret<//>`}
    <${Button} act=${() => setAsks("disconnect")} icon="unplug" size="sm" variant="ghost" label=${`Disconnect ${connection.label}`}>Disconnect<//>
    ${asks === "rotate" && html`<${RotateSecret} connection=${connection} close=${close} done=${(/** @type {any} */ answer) => (changed(), showSecret({ connection, ...answer }))} />`}
    ${asks === "disconnect" && html`<${Disconnect} connection=${connection} close=${close} done=${gone} />`}
  </div>`;
}
