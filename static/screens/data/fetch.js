import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";

/**
 * Asks the pulled sources of a sector for what is new. There is nothing to ask where all is pushed.
 *
 * @param {{ reader: import("./reader.js").Reader, sector: string, table: import("./schema.js").Table, connections?: any[], done: (fetched: any[]) => void }} props
 */
export function Fetch({ reader, sector, table, connections = [], done }) {
  const isPulled = connections.some((one) => one.sector === sector && one.provider !== "push" && one.state === "active");
  if (!reader.canFetch || !isPulled) return null;
  const fetchNow = async () => {
    const { fetched } = await call("POST /api/operator/fetch_live", { body: { target: table.target, limit: 1 } });
    done(fetched);
  };
  return html`<span class="muted">This is recorded.</span><${Button} act=${fetchNow} icon="refresh-cw">Fetch from source<//>`;
}
