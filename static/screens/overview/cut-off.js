import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";

/** Revokes every agent at once. */
export function CutOff() {
  const [agents, setAgents] = useState(/** @type {any[] | null} */ (null));
  const ask = async () => setAgents((await call("GET /api/agents")).agents);
  const act = async () => {
    const { revoked, sessionsEnded } = await call("POST /api/agents/revoke-all");
    sayDone(`Revoked ${counted(revoked, "agent")}. ${counted(sessionsEnded, "live session")} ended.`);
  };
  const open = agents?.filter((agent) => agent.status !== "revoked") ?? [];
  const live = open.reduce((sum, agent) => sum + agent.liveSessions, 0);
  const about = `Revokes ${counted(open.length, "agent")} and ends ${counted(live, "live session")}. An agent comes back only when its key is rotated. Data and sources stay as they are.`;
  return html`
    <${Button} act=${ask} icon="scissors">Cut everyone off<//>
    ${agents && html`<${Confirm} title="Cut everyone off?" about=${about} verb="Cut everyone off" act=${act} close=${() => setAgents(null)} />`}
  `;
}
