// The acts on an agent that ask first, and say what they end.

import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { Confirm } from "../../parts/confirm.js";

/** What its live sessions come to. @param {any} agent */
function sessions(agent) {
  return agent.liveSessions > 0 ? `${counted(agent.liveSessions, "live session")} end at once.` : "It has no live session.";
}

/** @param {number} ended */
function told(ended) {
  return ended > 0 ? ` ${counted(ended, "live session")} ended.` : "";
}

/** @param {{ agent: any, close: () => void, done: (made: any) => void }} props */
export function RotateKey({ agent, close, done }) {
  const rotate = async () => done(await call("POST /api/agents/{name}/rotate", { path: { name: agent.name } }));
  const about = `The present key is refused from now on. ${sessions(agent)} Sectors and deadline stay; a revoked agent can read again.`;
  return html`<${Confirm} title=${`Rotate the key of ${agent.name}?`} about=${about} verb="Rotate key" act=${rotate} close=${close} />`;
}

/** @param {{ agent: any, close: () => void, done: () => void }} props */
export function RevokeAgent({ agent, close, done }) {
  const revoke = async () => {
    const { sessionsEnded } = await call("POST /api/agents/{name}/revoke", { path: { name: agent.name } });
    sayDone(`Revoked ${agent.name}.${told(sessionsEnded)}`);
    done();
  };
  const about = `Its key is refused from now on. ${sessions(agent)} It comes back only when its key is rotated.`;
  return html`<${Confirm} title=${`Revoke ${agent.name}?`} about=${about} verb=${`Revoke ${agent.name}`} act=${revoke} close=${close} />`;
}

/** @param {{ agent: any, close: () => void, done: () => void }} props */
export function RemoveAgent({ agent, close, done }) {
  const remove = async () => {
    const { sessionsEnded } = await call("DELETE /api/agents/{name}", { path: { name: agent.name } });
    sayDone(`Removed ${agent.name}.${told(sessionsEnded)}`);
    done();
  };
  const about = `Its grant and its key are deleted. ${sessions(agent)} What it has asked stays in the audit log.`;
  return html`<${Confirm} title=${`Remove ${agent.name}?`} about=${about} verb="Remove agent" typed=${agent.name} act=${remove} close=${close} />`;
}
