// Under the rows: which they are, how many match when that is asked, and the way on and back.

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { go, here } from "../../core/address.js";
import { count, counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";
import { Note } from "../../parts/states.js";
import { PAGE_ROWS } from "./view.js";

/** @param {{ reader: import("./reader.js").Reader, sector: string, answer: any, request: any, pages: (string | null)[], hasBegunAnew: boolean, readAgain: () => void }} props */
export function Pager({ reader, sector, answer, request, pages, hasBegunAnew, readAgain }) {
  const { cursor: _cursor, ...whole } = request;
  const key = JSON.stringify({ where: whole.where, search: whole.search });
  const [counting, setCounting] = useState({ key: "", matched: 0 });
  const matched = answer.matched ?? (counting.key === key ? counting.matched : null);
  const ask = async () => {
    const answer = await reader.query(sector, { ...whole, select: ["id"], limit: 1, count: true });
    setCounting({ key, matched: answer.matched });
    place.current?.focus({ preventScroll: true });
  };
  // The control that was pressed may be gone or dead: the focus goes to what it has brought.
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const page = useRef(pages.length);
  useEffect(() => {
    if (page.current === pages.length) return;
    page.current = pages.length;
    /** @type {HTMLElement | null} */ (document.querySelector(".data-rows"))?.focus({ preventScroll: true });
  }, [answer]);
  // A second press of the same control turns no second page.
  const turn = (/** @type {(string | null)[]} */ turned) => {
    if ((here.value.state.pages ?? [null]).length === pages.length) go(here.value.path + location.search, { state: { pages: turned } });
  };
  const isShort = answer.next_cursor !== null && answer.returned < PAGE_ROWS;
  if (answer.rows.length === 0 && pages.length === 1) return null;
  return html`
    ${hasBegunAnew && html`<${Note} icon="history">The place in the pages had expired, so these are the first rows again.<//>`}
    ${isShort && html`<${Note} icon="scissors">${counted(answer.returned, "row")}: the answer is at its size limit; the next page goes on.<//>`}
    <nav class="pager data-pager" aria-label="Pages">
      <p class="muted" role="status" ref=${place} tabindex="-1">Page ${count(pages.length)}, ${counted(answer.returned, "row")}${matched !== null && matched !== undefined && `; ${count(matched)} match`}</p>
      ${(matched === null || matched === undefined) && html`<${Button} act=${ask} icon="sigma" size="sm" variant="ghost">Count all<//>`}
      <${Button} act=${readAgain} icon="refresh-cw" size="sm" variant="ghost">Read again<//>
      <${Button} act=${() => turn(pages.slice(0, -1))} icon="chevron-left" size="sm" disabled=${pages.length === 1}>Previous page<//>
      <${Button} act=${() => turn([...pages, answer.next_cursor])} icon="chevron-right" size="sm" disabled=${answer.next_cursor === null}>Next page<//>
    </nav>`;
}
