// What a recorded call would get now: its parameters are asked again as its agent would ask them; nothing is recorded.

import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";
import { CodeBox } from "../../parts/code.js";
import { Note } from "../../parts/states.js";
import { AnswerTable } from "./answer-table.js";

/** What a preview can show: the tools that read. */
const READING = ["describe_context", "get_schema", "query", "get_record", "list_actions"];
/** The tools of agents that do something. */
const ACTING = ["fetch_live", "invoke_action"];

/** @param {{ row: any }} props */
export function Again({ row }) {
  const [answer, setAnswer] = useState(/** @type {{ got: any } | { refusal: string } | null} */ (null));
  if (ACTING.includes(row.tool)) return html`<${Note}>What this call would get now is not shown: ${row.tool} acts, and to ask would do it again.<//>`;
  if (!READING.includes(row.tool)) return null;
  if (isPartial(row.args)) return html`<${Note}>What this call would get now cannot be shown: parts of its parameters were not recorded.<//>`;
  const ask = async () => {
    try {
      setAnswer({ got: await call("POST /api/agents/{name}/preview", { path: { name: row.agent_id }, body: { tool: row.tool, arguments: row.args ?? {} } }) });
    } catch (error) {
      setAnswer({ refusal: /** @type {Error} */ (error).message });
    }
  };
  return html`<div class="preview">
    <div class="acts"><${Button} act=${ask} icon="eye">What would this call get now?<//><span class="muted">Looking here is not recorded.</span></div>
    <div role="status" class="preview">
      ${answer && "refusal" in answer && html`<${Note} icon="shield-x" kind="bad"><bdi>${answer.refusal}</bdi><//>`}
      ${answer && "got" in answer && html`<${AnswerTable} answer=${answer.got} />`}
    </div>
    ${answer && "got" in answer && html`<${CodeBox} text=${JSON.stringify(answer.got, null, 2)} name="What it would get now" what="answer" />`}
  </div>`;
}

/** Whether something of the parameters was left out when they were recorded. @param {any} args */
function isPartial(args) {
  const recorded = JSON.stringify(args ?? {});
  return recorded.includes("[redacted]") || recorded.includes("[truncated]");
}
