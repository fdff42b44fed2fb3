import { html } from "../../core/html.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Empty } from "../../parts/states.js";
import { plain } from "./text.js";
import { focusTools } from "./tools.js";

const CONNECTIONS = html`<${ButtonLink} href="/connections" icon="plug">Open connections<//>`;

/**
 * Why there are no rows, and the one act that helps.
 *
 * @param {{ answer: any, sector: string, table: import("./schema.js").Table, view: import("./view.js").View, reader: import("./reader.js").Reader, show: (change: any) => void }} props
 */
export function Nothing({ answer, sector, table, view, reader, show }) {
  const hint = answer.empty?.hint ?? "";
  const isNarrowed = view.where.length > 0 || view.search !== "";
  const drop = () => {
    show({ where: [], search: "" });
    focusTools();
  };
  const clear = html`<${Button} act=${drop} icon="x">Clear filters<//>`;
  switch (answer.empty?.reason) {
    case "no_connection":
      return html`<${Empty} icon="plug" title=${`Nothing is connected in ${sector}`} act=${html`<${ButtonLink} href="/connections" icon="plug">Connect a source<//>`}>Rows of ${table.target} appear here when a source brings them.<//>`;
    case "never_synced":
      return html`<${Empty} icon="clock" title="Nothing has come yet" act=${CONNECTIONS}>${plain(hint)}<//>`;
    case "paused":
      return html`<${Empty} icon="circle-pause" title="The source is paused" act=${CONNECTIONS}>${plain(hint)}<//>`;
    case "needs_sign_in":
      return html`<${Empty} icon="key-round" title="The source asks for a sign-in" act=${CONNECTIONS}>${plain(hint)}<//>`;
    case "outside_window":
      return html`<${Empty} icon="calendar-clock" title="Outside of what is known" act=${isNarrowed ? clear : CONNECTIONS}>${plain(hint)}<//>`;
    default:
      if (isNarrowed && table.rows !== 0) return html`<${Empty} icon="list-filter" title="No rows match" act=${clear}>${rest(hint)}<//>`;
      return html`<${Empty} icon="table-2" title="No rows yet" act=${html`<${ButtonLink} href=${`${reader.base}/${sector}`}>Show the other tables<//>`}>The sources of ${sector} have brought nothing for ${table.target}. ${rest(hint)}<//>`;
  }
}

/** What a hint adds to "no rows match": values that occur, sources that are not known. @param {string} hint */
function rest(hint) {
  return hint.split("; ").slice(1).filter((part) => !part.startsWith("another table") && !part.includes("compares texts exactly")).map(plain).join(" ");
}
