import { useEffect, useState } from "../../vendor/hooks.js";
import { go, here, withQuery } from "../../core/address.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { listen } from "../../core/live.js";
import { Button } from "../../parts/button.js";

/** Rows that are counted; where there are more, that is said. */
const ROWS = 50;
/** The least time between two looks for newer rows, ms. */
const LOOK_MS = 2_000;

/**
 * How many newer rows there are under the same filters. They are announced, not inserted: what is being read stays where it is. Only the
 * newest page is kept up to date, by whichever way it was reached: it is the one with nothing newer (`prev`) when it was read.
 *
 * @param {{ filters: Record<string, string>, page: any, show: () => void }} props
 */
export function NewRows({ filters, page, show }) {
  const [newer, setNewer] = useState(0);
  const first = page?.rows[0]?.id;
  const isNewest = page !== null && page.prev === null;
  useEffect(() => {
    setNewer(0);
    if (!isNewest) return undefined;
    let timer = 0;
    const aborted = new AbortController();
    const look = async () => {
      timer = 0;
      const found = await call("GET /api/audit", { query: /** @type {any} */ ({ ...filters, limit: ROWS }), signal: aborted.signal }).catch(() => null);
      if (found && !aborted.signal.aborted) setNewer(before(found.rows, first));
    };
    const end = listen(["audit"], () => {
      timer ||= setTimeout(look, LOOK_MS);
    });
    return () => {
      clearTimeout(timer);
      aborted.abort();
      end();
    };
  }, [first, isNewest, JSON.stringify(filters)]);
  // The button goes with the rows that it announces, so the focus goes to the rows first.
  const press = () => {
    focusRows();
    if (here.value.query.get("after")) go(withQuery({ after: null, before: null }));
    else show();
  };
  const text = newer === ROWS ? `${ROWS}+ new rows` : `${newer} new ${newer === 1 ? "row" : "rows"}`;
  return html`<div role="status" class=${newer > 0 ? "new-rows" : "sr-only"}>${newer > 0 && html`<${Button} act=${press} icon="arrow-up" size="sm">${text}<//>`}</div>`;
}

/** How many rows stand before the one that is known; all of them where it is not among them. @param {any[]} rows @param {string | undefined} known */
function before(rows, known) {
  const at = rows.findIndex((row) => row.id === known);
  return at === -1 ? rows.length : at;
}

/** Puts the focus on the rows, or on the heading where there are none. */
export function focusRows() {
  const place = document.querySelector('[aria-label="Audit log"]') ?? document.querySelector("h1");
  if (place instanceof HTMLElement) place.focus({ preventScroll: true });
}
