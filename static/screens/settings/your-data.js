import { useState } from "../../vendor/hooks.js";
import { address } from "../../core/call.js";
import { html } from "../../core/html.js";
import { SECTORS } from "../../core/sectors.js";
import { ButtonLink } from "../../parts/button.js";
import { Select } from "../../parts/field.js";
import { EraseCard } from "./erase-card.js";
import { ImportCard } from "./import-card.js";

/** Taking everything away, bringing it back, erasing it. */
export function YourData() {
  return html`<${ExportCard} /><${ImportCard} /><${EraseCard} />`;
}

function ExportCard() {
  const [sector, setSector] = useState("");
  return html`<section class="card" aria-labelledby="export-head">
    <h2 id="export-head">Export</h2>
    <p class="muted">One zip from one moment: every table as JSON lines, and the formats people know: .ics, .vcf, .mbox, .csv. Without secrets and keys. It is recorded.</p>
    <div class="row export-row">
      <${Select} label="What to export" value=${sector} options=${[["", "Everything, with the audit log"], ...SECTORS.map((name) => [name, `${name} alone`])]} change=${setSector} />
      <${ButtonLink} href=${address("/api/export", {}, { sector })} icon="download" download>Export<//>
    </div>
  </section>`;
}
