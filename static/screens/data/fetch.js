import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone, sayFailed } from "../../core/messages.js";
import { Button } from "../../parts/button.js";

/**
 * Asks the pulled sources of a sector for what is new. There is nothing to ask where all is pushed.
 *
 * @param {{ reader: import("./reader.js").Reader, sector: string, table: import("./schema.js").Table, connections?: any[], done: () => void }} props
 */
export function Fetch({ reader, sector, table, connections = [], done }) {
  const isPulled = connections.some((one) => one.sector === sector && one.provider !== "push" && one.state === "active");
  if (!reader.canFetch || !isPulled) return null;
  const fetchNow = async () => {
    const answer = await call("POST /api/operator/fetch_live", { body: { target: table.target, limit: 1 } });
    const failed = answer.fetched.filter((/** @type {any} */ one) => !["ok", "push_only"].includes(one.outcome));
    for (const one of failed) sayFailed(`${one.connection}: ${one.message}`);
    const changed = answer.fetched.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.upserted + one.deleted, 0);
    sayDone(`Fetched: ${counted(changed, "row")} changed.`);
    done();
  };
  return html`<span class="muted">This is recorded.</span><${Button} act=${fetchNow} icon="refresh-cw">Fetch from source<//>`;
}
