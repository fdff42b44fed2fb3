// What is stored of each sector: rows, span, newest record; read once and shared by all who ask at about the same time.

import { signal } from "../vendor/signals-core.js";
import { call } from "./call.js";
import { SECTORS } from "./sectors.js";

/** How long a reading is good, ms. */
const GOOD_MS = 60_000;

/** @typedef {{ rows: number, from: string | null, to: string | null, tables: any[] }} Holding */

/** By sector; a sector that has not been read yet is not there. */
export const holdings = signal(/** @type {Record<string, Holding>} */ ({}));

let readAt = -Infinity;

/** Reads the catalogue with its counts, sector by sector, unless that was done just now. */
export async function readHoldings() {
  if (performance.now() - readAt < GOOD_MS) return;
  readAt = performance.now();
  for (const sector of SECTORS) {
    try {
      const { tables } = await call("GET /api/operator/schema", { query: { target: sector } });
      holdings.value = { ...holdings.value, [sector]: sum(tables) };
    } catch {
      // Who asks shows no count then, and the next who asks tries again.
      readAt = -Infinity;
      return;
    }
  }
}

/** @param {any[]} tables @returns {Holding} */
function sum(tables) {
  const spans = tables.filter((table) => table.covers);
  return {
    rows: tables.reduce((rows, table) => rows + table.rows, 0),
    from: spans.map((table) => table.covers[0]).sort()[0] ?? null,
    to: spans.map((table) => table.covers[1]).sort().at(-1) ?? null,
    tables,
  };
}
