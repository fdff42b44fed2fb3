import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { isPulled } from "../../core/pulled.js";
import { Button } from "../../parts/button.js";

/** Pauses or resumes; the button itself takes it back. @param {{ connection: any, changed: () => void }} props */
export function PauseButton({ connection, changed }) {
  const isPaused = connection.state === "paused";
  const verb = isPaused ? "Resume" : "Pause";
  const toggle = async () => {
    await call(isPaused ? "POST /api/connections/{id}/resume" : "POST /api/connections/{id}/pause", { path: { id: connection.id } });
    sayDone(isPaused ? `Resumed ${connection.label}.` : `Paused ${connection.label}. ${pausedMeans(connection)}`);
    changed();
  };
  return html`<${Button} act=${toggle} icon=${isPaused ? "play" : "pause"} size="sm" label=${`${verb} ${connection.label}`}>${verb}<//>`;
}

/** What a pause does. @param {any} connection */
export function pausedMeans(connection) {
  return isPulled(connection) ? "Its source is not read." : "Pushes to it are answered 401.";
}
