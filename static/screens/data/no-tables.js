import { html } from "../../core/html.js";
import { Icon } from "../../parts/icon.js";
import { Failure, Loading } from "../../parts/states.js";

/**
 * What stands where the tables are not known: they are being read, they could not be, or every call of the agent is refused.
 *
 * @param {{ reader: import("./reader.js").Reader, of: { value: unknown, error: any, reload: () => void } }} props
 */
export function NoTables({ reader, of: { value, error, reload } }) {
  if (error && reader.agent !== null && (error.status === 401 || error.status === 403)) {
    return html`<section class="card data-locked"><p><${Icon} name="lock" /><span>Locked. Every call with this key is answered:</span></p><code>${error.said}</code></section>`;
  }
  if (error) return html`<${Failure} error=${error} retry=${reload} what="the tables" />`;
  return value === null ? html`<${Loading} lines=${8} />` : null;
}
