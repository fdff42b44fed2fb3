// The address of the page: which screen it names, and the filters in its query.

import { signal } from "../vendor/signals-core.js";

/** Where the page is now. */
export const here = signal(read());

function read() {
  return { path: location.pathname, query: new URLSearchParams(location.search), state: history.state ?? {} };
}

/**
 * Goes to another address.
 *
 * @param {string} url a path of this page
 * @param {{ replace?: boolean, state?: object, keepScroll?: boolean }} [options] `state` is kept with the entry of the history
 */
export function go(url, { replace = false, state = {}, keepScroll = false } = {}) {
  if (replace) history.replaceState(state, "", url);
  else history.pushState(state, "", url);
  here.value = read();
  if (!keepScroll) scrollTo(0, 0);
}

/**
 * The present address with other filters.
 *
 * @param {Record<string, string | null | undefined>} changes null, undefined and "" take a filter away
 */
export function withQuery(changes) {
  const query = new URLSearchParams(here.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size > 0 ? `${here.value.path}?${query}` : here.value.path;
}

/** Follows links to other screens without loading the page anew. */
export function followLinks() {
  addEventListener("popstate", () => {
    here.value = read();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || !isScreen(link)) return;
    event.preventDefault();
    if (link.href !== location.href) go(link.pathname + link.search);
  });
}

/** Whether a link leads to a screen; the service's own answers are downloads. @param {HTMLAnchorElement} link */
function isScreen(link) {
  return link.origin === location.origin && !link.target && !link.hasAttribute("download") && !/^\/(api|static|metrics)\b/.test(link.pathname);
}
