// Which screen an address names.

import { useEffect, useRef } from "../vendor/hooks.js";
import { here } from "../core/address.js";
import { html } from "../core/html.js";
import { Empty } from "../parts/states.js";
import { ButtonLink } from "../parts/button.js";
import { PageHead } from "../parts/page-head.js";
import { Activity } from "./activity.js";
import { Agents } from "./agents.js";
import { Agent } from "./agents/agent.js";
import { Connections } from "./connections.js";
import { Catalogue } from "./connections/catalogue.js";
import { Connect } from "./connections/connect.js";
import { Connection } from "./connections/connection.js";
import { Data } from "./data.js";
import { Duplicates } from "./data/duplicates.js";
import { Files } from "./files.js";
import { Upload } from "./files/upload.js";
import { Overview } from "./overview.js";
import { Settings } from "./settings.js";
import { Welcome } from "./welcome.js";

/** The screens by address; `:word` stands for any one word, a `*` at the end for all that follows. */
const SCREENS = /** @type {[string, (props: any) => any][]} */ ([
  ["/", Overview],
  ["/welcome", Welcome],
  ["/connections", Connections],
  ["/connections/files", Files],
  ["/connections/files/:id", Upload],
  ["/connections/new", Catalogue],
  ["/connections/new/push", Catalogue],
  ["/connections/new/:provider", Connect],
  ["/connections/:id", Connection],
  ["/agents", Agents],
  ["/agents/:name", Agent],
  ["/agents/:name/data", Data],
  ["/agents/:name/data/:sector", Data],
  ["/agents/:name/data/:sector/:table", Data],
  ["/agents/:name/data/:sector/:table/:id", Data],
  ["/activity", Activity],
  ["/activity/:id", Activity],
  ["/data", Data],
  ["/data/:sector", Data],
  ["/data/finance/duplicates", Duplicates],
  ["/data/:sector/:table", Data],
  ["/data/:sector/:table/:id", Data],
  ["/settings", Settings],
  ["/settings/:part", Settings],
]);

/** What opens over a screen is no other screen: the one behind it stays as it is. @type {Record<string, string>} */
const OVER = { "/activity/:id": "/activity", "/connections/new/push": "/connections/new" };

/** The words of `path` that a pattern names, or null where it names another path. @param {string} pattern @param {string} path */
function match(pattern, path) {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const named = /** @type {Record<string, string>} */ ({});
  for (const [at, word] of wanted.entries()) {
    const own = given[at] ?? "";
    if (word.startsWith(":") && own !== "") named[word.slice(1)] = decodeURIComponent(own);
    else if (word !== own) return null;
  }
  return named;
}

/** The screen that `path` names, what it is given, and what it is told apart by from others. @param {string} path */
function find(path) {
  for (const [pattern, Found] of SCREENS) {
    const named = match(pattern, path);
    if (named) return { Found, named, key: OVER[pattern] ?? pattern, place: OVER[pattern] ?? path };
  }
  return null;
}

/** The screen of the present address. */
export function Screen() {
  const path = here.value.path.length > 1 ? here.value.path.replace(/\/$/, "") : here.value.path;
  const found = find(path);
  const first = useRef(true);
  // A new screen is announced by its heading, as a new page would be.
  useEffect(() => {
    if (first.current) first.current = false;
    else document.querySelector("h1")?.focus({ preventScroll: true });
  }, [found?.place ?? path]);
  if (found) return html`<${found.Found} key=${found.key} ...${found.named} />`;
  return html`<${PageHead} title="Not found" /><${Empty} icon="search" title="There is no such screen" act=${html`<${ButtonLink} href="/">Go to Overview<//>`}>Nothing answers under ${path}.<//>`;
}
