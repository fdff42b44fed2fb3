// What a person may want from a row: to grant what was denied, or to see what an allowed call would get now.

import { useEffect, useState } from "../../vendor/hooks.js";
import { readSectors, withSector } from "../../core/agents.js";
import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { holdings, readHoldings } from "../../core/holdings.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { CodeBox } from "../../parts/code.js";
import { Confirm } from "../../parts/confirm.js";
import { Note } from "../../parts/states.js";

/** What a preview can show: the tools that read. */
const READING = ["describe_context", "get_schema", "query", "get_record", "list_actions"];
const DENIED = /^access denied: (\w+)$/;

/** @param {{ row: any }} props */
export function FollowUp({ row }) {
  const isAgent = row.agent_id !== null && row.agent_id !== "operator";
  const agent = useResource((signal) => (isAgent ? call("GET /api/agents/{name}", { path: { name: row.agent_id }, signal }) : Promise.resolve(null)), [row.id]);
  if (!agent.value) return null;
  const sector = DENIED.exec(row.deny_reason ?? "")?.[1];
  if (row.decision === "deny") return sector ? html`<${TurnOn} agent=${agent.value} sector=${sector} changed=${agent.reload} />` : null;
  return html`<${Again} row=${row} />`;
}

/** @param {{ agent: any, sector: string, changed: () => void }} props */
function TurnOn({ agent, sector, changed }) {
  const [isAsked, ask] = useState(false);
  useEffect(() => void readHoldings(), []);
  if (readSectors(agent.sectors).granted.some((own) => own === sector)) return html`<${Note} icon="circle-check" kind="good">${agent.name} can use ${sector} now.<//>`;
  if (!(sector in { finance: 1, mail: 1, calendar: 1, contacts: 1, health: 1, home: 1 }) || agent.status !== "active") return null;
  const holding = holdings.value[sector];
  const act = async () => {
    const { sessionsEnded } = await call("PATCH /api/agents/{name}", { path: { name: agent.name }, body: { sectors: withSector(agent.sectors, sector, true) } });
    sayDone(`Saved. ${agent.name} can use ${sector} from its next session.${sessionsEnded > 0 ? ` ${counted(sessionsEnded, "live session")} ended.` : ""}`);
    changed();
  };
  const about = `It can then read ${holding ? `${count(holding.rows)} rows of ${sector}` : `everything of ${sector}`}, now and what comes later. ${agent.liveSessions > 0 ? `${counted(agent.liveSessions, "live session")} end.` : "It has no live session."}`;
  return html`<${Button} act=${() => ask(true)} icon="key-round">Turn on ${sector} for ${agent.name}<//>
    ${isAsked && html`<${Confirm} title=${`Turn on ${sector} for ${agent.name}?`} about=${about} verb=${`Turn on ${sector}`} act=${act} close=${() => ask(false)} />`}`;
}

/** @param {{ row: any }} props */
function Again({ row }) {
  const [answer, setAnswer] = useState(/** @type {{ text: string, isRefusal: boolean } | null} */ (null));
  if (!READING.includes(row.tool)) return null;
  const recorded = JSON.stringify(row.args ?? {});
  if (recorded.includes("[redacted]") || recorded.includes("[truncated]")) {
    return html`<${Note}>What this call would get now cannot be shown: parts of its parameters were not recorded.<//>`;
  }
  const ask = async () => {
    try {
      const got = await call("POST /api/agents/{name}/preview", { path: { name: row.agent_id }, body: { tool: row.tool, arguments: row.args ?? {} } });
      setAnswer({ text: JSON.stringify(got, null, 2), isRefusal: false });
    } catch (error) {
      setAnswer({ text: /** @type {Error} */ (error).message, isRefusal: true });
    }
  };
  return html`
    <${Button} act=${ask} icon="eye">What would this call get now?<//>
    ${answer && (answer.isRefusal ? html`<${Note} icon="shield-x" kind="bad"><span role="alert">${answer.text}</span><//>` : html`<${CodeBox} text=${answer.text} name="What it would get now" what="answer" />`)}
  `;
}
