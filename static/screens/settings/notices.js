import { html } from "../../core/html.js";

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
    <p class="muted">Scripts, styles, icons and fonts of this page by others. <a href="/static/vendor/VERSIONS">Their versions</a>. The licences of the crates come with the package, as LICENSES-OF-CRATES.txt.</p>
    <ul class="notices">${VENDORED.map(([name, file, licence]) => html`<li key=${file}><a href=${`/static/vendor/licences/${file}`}>${name}</a> <span class="muted">${licence}</span></li>`)}</ul>
  </section>`;
}
