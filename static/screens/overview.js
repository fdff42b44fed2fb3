import { useEffect } from "../vendor/hooks.js";
import { go } from "../core/address.js";
import { call } from "../core/call.js";
import { html } from "../core/html.js";
import { useResource } from "../core/resource.js";
import { status } from "../core/service.js";
import { AuditTable } from "../parts/audit-table.js";
import { CallsPlot } from "../parts/calls-plot.js";
import { PageHead } from "../parts/page-head.js";
import { Empty, Loaded, Loading } from "../parts/states.js";
import { Sessions } from "./agents/sessions.js";
import { Attention } from "./overview/attention.js";
import { CutOff } from "./overview/cut-off.js";
import { SectorTiles } from "./overview/sector-tiles.js";

/** Rows of the audit log that are shown. */
const ROWS = 8;

/** What is here, who asks for it, and what needs you. Until the first steps are done or dismissed, it leads to them. */
export function Overview() {
  const steps = useResource((signal) => call("GET /api/onboarding", { signal }), []);
  useEffect(() => {
    if (steps.value && !steps.value.done && !steps.value.dismissed) go("/welcome", { replace: true });
  }, [steps.value]);
  const rows = useResource((signal) => call("GET /api/audit", { query: { limit: ROWS }, signal }), [], { on: ["audit"] });
  return html`
    <${PageHead} title="Overview" about="What is here, who asks for it, and what needs you."><${CutOff} /><//>
    ${status.value ? html`<${Attention} attention=${status.value.attention} /><${SectorTiles} sectors=${status.value.sectors} />` : html`<${Loading} lines=${4} />`}
    <${CallsPlot} canChoose=${false} />
    <${Sessions} />
    <section class="stack">
      <div class="row"><h2>Last rows of the audit log</h2><a href="/activity">Show all</a></div>
      <${Loaded} of=${rows} what="the audit log">${(/** @type {any} */ page) => (page.rows.length === 0 ? html`<${Empty} icon="activity" title="Nothing recorded yet">Each call of an agent will stand here.<//>` : html`<${AuditTable} rows=${page.rows} name="Last rows of the audit log" />`)}<//>
    </section>
  `;
}
