import { send } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Loaded } from "../../parts/states.js";

/** What the page is made of besides its own files, each with its licence as it came (static/vendor/VERSIONS). */
const VENDORED = [
  ["Preact", "preact", "MIT"],
  ["Signals", "preact-signals", "MIT"],
  ["htm", "htm", "Apache-2.0"],
  ["basecoat", "basecoat-css", "MIT"],
  ["uPlot", "uplot", "MIT"],
  ["Lucide", "lucide-static", "ISC"],
  ["Inter", "fontsource-variable-inter", "OFL-1.1"],
  ["JetBrains Mono", "fontsource-variable-jetbrains-mono", "OFL-1.1"],
];

/** Whose work this is made of. */
export function Notices() {
  return html`<section class="card" aria-labelledby="notices-head"><h2 id="notices-head">Notices</h2>
    <p class="muted">Scripts, styles, icons and fonts of this page by others. <a href="/static/vendor/VERSIONS">Their versions</a>.</p>
    <ul class="notices">${VENDORED.map(([name, file, licence]) => html`<li key=${file}><a href=${`/static/vendor/licences/${file}`}>${name}</a> <span class="muted">${licence}</span></li>`)}</ul>
    <${Crates} />
  </section>`;
}

/** The crates that are built into the program; their licences' texts come with the package. */
function Crates() {
  const crates = useResource(async (signal) => lines(await (await send("/static/crates.txt", { signal })).text()), []);
  return html`<${Loaded} of=${crates} what="the crates" lines=${2}>${(/** @type {any[]} */ listed) => html`<details>
    <summary>${counted(listed.length, "crate")} in the program</summary>
    <p class="muted">The texts of their licences come with the package, as LICENSES-OF-CRATES.txt.</p>
    <ul class="notices">${listed.map(([name, licence]) => html`<li key=${name}>${name} <span class="muted">${licence}</span></li>`)}</ul>
  </details>`}<//>`;
}

/** Name with version, and licence. @param {string} text */
function lines(text) {
  return text.trim().split("\n").map((line) => line.split("|"));
}
