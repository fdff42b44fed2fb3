import { useState } from "../vendor/hooks.js";
import { call } from "../core/call.js";
import { html } from "../core/html.js";
import { useResource } from "../core/resource.js";
import { Select } from "./field.js";
import { Plot } from "./plot.js";
import { Loaded } from "./states.js";

/** The spans, each with its step. @type {Record<string, { step: string, text: string }>} */
const SPANS = {
  "24h": { step: "1h", text: "the last 24 hours" },
  "7d": { step: "6h", text: "the last 7 days" },
  "30d": { step: "1d", text: "the last 30 days" },
};

/** Calls over time, by agent, sector or tool. @param {{ canChoose?: boolean }} props */
export function CallsPlot({ canChoose = true }) {
  const [by, setBy] = useState("agent");
  const [span, setSpan] = useState("24h");
  const { step, text } = SPANS[span] ?? { step: "1h", text: span };
  const calls = useResource((signal) => call("GET /api/stats/calls", { query: /** @type {any} */ ({ by, window: span, step }), signal }), [by, span], { on: ["audit"] });
  return html`<section class="card plot-card" aria-labelledby="plot-head">
    <header><h2 id="plot-head">Calls</h2>
      ${canChoose ? html`<div class="filters"><${Select} label="By" hideLabel value=${by} options=${["agent", "sector", "tool"]} change=${setBy} /><${Select} label="Over" hideLabel value=${span} options=${Object.entries(SPANS).map(([value, own]) => [value, own.text])} change=${setSpan} /></div>` : html`<span class="muted">${text}</span>`}
    </header>
    <${Loaded} of=${calls} what="the calls" lines=${4}>${(/** @type {any} */ answer) => html`<${Plot} t=${answer.t} series=${named(answer.series)} span=${text} />`}<//>
  </section>`;
}

/** What belongs to no agent or sector is told so: refused keys and pushes. @param {Record<string, number[]>} series */
function named(series) {
  return Object.fromEntries(Object.entries(series).map(([name, values]) => [name === "-" ? "(none)" : name, values]));
}
