import { useState } from "../../vendor/hooks.js";
import { html } from "../../core/html.js";
import { counted } from "../../core/format.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { State } from "../../parts/state.js";
import { Time } from "../../parts/time.js";
import { RevokeAgent, RotateKey } from "./acts.js";
import { SectorSwitches } from "./sector-switches.js";

/**
 * An agent in the list: how it stands, its sectors, its acts.
 *
 * @param {{ agent: any, changed: () => void, showKey: (made: any) => void }} props
 */
export function AgentCard({ agent, changed, showKey }) {
  const [asks, setAsks] = useState(/** @type {"rotate" | "revoke" | null} */ (null));
  const close = () => setAsks(null);
  return html`<article class="card agent-card" aria-label=${`Agent ${agent.name}`}>
    <header>
      <div class="stack-small">
        <h2><a href=${`/agents/${encodeURIComponent(agent.name)}`}><bdi>${agent.name}</bdi></a></h2>
        <${AgentFacts} agent=${agent} />
      </div>
      <div class="acts">
        <${ButtonLink} href=${`/agents/${encodeURIComponent(agent.name)}`} icon="plug" size="sm">Connect<//>
        <${Button} act=${() => setAsks("rotate")} icon="rotate-ccw-key" size="sm" variant="ghost" label=${`Rotate key of ${agent.name}`}>Rotate key<//>
        ${agent.status !== "revoked" && html`<${Button} act=${() => setAsks("revoke")} icon="ban" size="sm" variant="ghost" label=${`Revoke ${agent.name}`}>Revoke<//>`}
      </div>
    </header>
    <${SectorSwitches} agent=${agent} changed=${changed} />
    ${asks === "rotate" && html`<${RotateKey} agent=${agent} close=${close} done=${(/** @type {any} */ made) => (changed(), showKey(made))} />`}
    ${asks === "revoke" && html`<${RevokeAgent} agent=${agent} close=${close} done=${changed} />`}
  </article>`;
}

const STATES = /** @type {Record<string, { kind: any, icon: string, word: string }>} */ ({
  active: { kind: "good", icon: "circle-check", word: "Active" },
  expired: { kind: "warn", icon: "calendar-clock", word: "Expired" },
  revoked: { kind: "bad", icon: "ban", word: "Revoked" },
});

/** How an agent stands, in one line. @param {{ agent: any }} props */
export function AgentFacts({ agent }) {
  const state = STATES[agent.status] ?? { kind: "quiet", icon: "info", word: agent.status };
  return html`<p class="facts">
    <${State} kind=${state.kind} icon=${state.icon}>${state.word}<//>
    <span>${deadline(agent)}</span>
    <span>Last call <${Time} at=${agent.lastCallAt} /></span>
    ${agent.liveSessions > 0 && html`<span class="live-sessions"><span class="dot" aria-hidden="true"></span>${counted(agent.liveSessions, "live session")}</span>`}
  </p>`;
}

/** @param {any} agent */
function deadline(agent) {
  if (agent.revokedAt) return html`Revoked <${Time} at=${agent.revokedAt} />`;
  if (!agent.expiresAt) return "Never expires";
  return html`${agent.status === "expired" ? "Expired" : "Expires"} <${Time} at=${agent.expiresAt} />`;
}
