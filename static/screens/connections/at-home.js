import { useEffect } from "../../vendor/hooks.js";
import { here } from "../../core/address.js";
import { html } from "../../core/html.js";
import { homeAddress, isAtHome, moveHome, movedFrom } from "../../core/signing-in.js";
import { ButtonLink } from "../../parts/button.js";
import { Note } from "../../parts/states.js";

/** What is shown where the browser can come back to; elsewhere, the way there. @param {{ name: string, children: any }} props `name` is whose page sends it back */
export function AtHome({ name, children }) {
  const isAway = !isAtHome();
  useEffect(() => {
    if (isAway) moveHome();
  }, [isAway]);
  if (isAway) return html`<${Away} name=${name} />`;
  const from = movedFrom(here.value.query);
  return html`<div class="stack connect-form">
    ${from && html`<${Note}>This page moved here from ${from}: ${name} sends the browser back to ${location.host}.<//>`}
    ${children}
  </div>`;
}

/** The page cannot be come back to under its present name, and it cannot be known whether localhost is the same computer. @param {{ name: string }} props */
function Away({ name }) {
  const address = homeAddress();
  return html`<section class="card" aria-labelledby="away-head">
    <h2 id="away-head">The sign-in goes on at localhost</h2>
    <p>${name} sends the browser back to <code>${address.origin}</code> and nowhere else. Open this page there, on the computer that the service runs on, or on one whose port ${address.port} leads to it.</p>
    <div class="acts"><${ButtonLink} href=${address.href} variant="primary">Go to ${address.host}<//></div>
  </section>`;
}
