// Where the focus goes on Activity when what had it is gone: rows are replaced by rows, and a row's detail closes.

import { useEffect, useRef } from "../../vendor/hooks.js";
import { here } from "../../core/address.js";
import { focusRows } from "./new-rows.js";

/**
 * Keeps the focus on the screen.
 *
 * @param {any} page what is listed now, or null while it is read
 * @param {string | undefined} id the row whose detail is open
 */
export function useKeptFocus(page, id) {
  const isFirst = useRef(true);
  useEffect(() => {
    if (page === null) return;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (!isFirst.current && isLost && !id) {
      focusRows();
      const { query } = here.value;
      if (query.has("before") || query.has("after")) document.activeElement?.scrollIntoView({ block: "start" });
    }
    isFirst.current = false;
  }, [page]);

  const opened = useRef(id);
  useEffect(() => {
    const closed = id === undefined ? opened.current : undefined;
    opened.current = id;
    if (closed === undefined) return;
    const link = [...document.querySelectorAll("td a")].find((own) => own instanceof HTMLAnchorElement && own.pathname === `/activity/${closed}`) ?? document.querySelector("h1");
    if (link instanceof HTMLElement) link.focus();
  }, [id]);
}
