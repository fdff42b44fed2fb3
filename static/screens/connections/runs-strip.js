import { useEffect, useRef } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { toldRuns } from "../../core/pulled.js";
import { useResource } from "../../core/resource.js";
import { now } from "../../core/time.js";

/** Runs of a strip. */
export const RUNS = 30;
const STEP = 6;
const BAR = 4;
const HEIGHT = 24;
/** A bar of a run that changed nothing. */
const LEAST = 3;

/** The last runs of a connection, read again when its last sync or its health is another. @param {any} connection */
export function useRuns(connection) {
  const runs = useResource((signal) => call("GET /api/connections/{id}/runs", { path: { id: connection.id }, query: { limit: RUNS }, signal }), [connection.id]);
  const mark = `${connection.lastSyncAt} ${connection.health} ${connection.state}`;
  const before = useRef(mark);
  useEffect(() => {
    if (before.current !== mark) runs.reload();
    before.current = mark;
  }, [mark]);
  return runs;
}

/** The last runs as bars, the newest on the right: as high as rows changed; a failed one is hollow, one that was cut off a stump. @param {{ runs: any[] }} props newest first */
export function RunsStrip({ runs }) {
  const shown = runs.slice(0, RUNS).reverse();
  const most = Math.max(1, ...shown.map(changed));
  const width = RUNS * STEP;
  const empty = RUNS - shown.length;
  return html`<svg class="runs" role="img" aria-label=${toldRuns(runs, now.value)} viewBox=${`0 0 ${width} ${HEIGHT}`} width=${width} height=${HEIGHT}>
    ${Array.from({ length: empty }, (_, at) => html`<rect key=${at} class="run-none" x=${at * STEP} y=${HEIGHT - 1} width=${BAR} height="1" />`)}
    ${shown.map((run, at) => html`<${Bar} key=${run.startedAt} run=${run} x=${(empty + at) * STEP} height=${heightOf(changed(run), most)} />`)}
  </svg>`;
}

/** Rows that a run changed; those of a list bear the sum. @param {any} run */
function changed(run) {
  return run.changed ?? run.upserted + run.deleted;
}

/** By the logarithm, so that a first sync does not flatten all others. @param {number} rows @param {number} most */
function heightOf(rows, most) {
  return Math.round(LEAST + (HEIGHT - LEAST) * (Math.log1p(rows) / Math.log1p(most)));
}

/** @param {{ run: any, x: number, height: number }} props */
function Bar({ run, x, height }) {
  if (run.outcome === "failed") return html`<rect class="run-failed" x=${x + 0.5} y=${HEIGHT / 2 + 0.5} width=${BAR - 1} height=${HEIGHT / 2 - 1} />`;
  if (run.outcome === "interrupted" || run.outcome === "halted") return html`<path class="run-cut" d=${`M${x} ${HEIGHT} v-8 h${BAR} v4 h-${BAR} z`} />`;
  return html`<rect class=${run.outcome ? "run-ok" : "run-now"} x=${x} y=${HEIGHT - height} width=${BAR} height=${height} rx="1" />`;
}
