import { useEffect, useState } from "../../vendor/hooks.js";
import { faultOfDays } from "../../core/agents.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { Button } from "../../parts/button.js";
import { Time } from "../../parts/time.js";
import { DeadlineField } from "./deadline.js";

/** When the agent's key ends; a change counts from now and ends its live sessions. @param {{ agent: any, changed: () => void }} props */
export function DeadlineCard({ agent, changed }) {
  const [days, setDays] = useState("90");
  const [fault, setFault] = useState(/** @type {string | null} */ (null));
  useEffect(() => setDays(agent.expiresAt ? "90" : "never"), [agent.expiresAt]);
  const save = async () => {
    const wrong = days === "never" ? null : faultOfDays(days);
    setFault(wrong);
    if (wrong) return;
    const { sessionsEnded } = await call("PATCH /api/agents/{name}", { path: { name: agent.name }, body: { expiresInDays: days === "never" ? null : Number(days) } });
    const until = days === "never" ? "never expires" : `expires in ${counted(Number(days), "day")}`;
    sayDone(`Saved. ${agent.name} ${until}.${sessionsEnded > 0 ? ` ${counted(sessionsEnded, "live session")} ended.` : ""}`);
    changed();
  };
  return html`<section class="card" aria-labelledby="deadline-head">
    <header><h2 id="deadline-head">Deadline</h2><span class="muted">${agent.expiresAt ? html`<${Time} at=${agent.expiresAt} exact />` : "never expires"}</span></header>
    <div class="row deadline-row"><${DeadlineField} days=${days} change=${setDays} error=${fault} /><${Button} act=${save}>Set deadline<//></div>
    <p class="muted">Counted from now. Its live sessions end.</p>
  </section>`;
}
