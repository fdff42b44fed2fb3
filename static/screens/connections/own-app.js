import { html } from "../../core/html.js";
import { State } from "../../parts/state.js";
import { AppFields, RedirectAddresses, useProviderApp } from "./provider-app.js";

/** The operator's app at the provider: entered already, or here. @param {{ provider: any, changed: () => void }} props */
export function OwnApp({ provider, changed }) {
  return html`<section class="card" aria-labelledby="app-head">
    <header><h2 id="app-head">Your app at ${provider.name}</h2>${provider.appConfigured && html`<${State} kind="good" icon="circle-check">Entered<//>`}</header>
    ${provider.appConfigured
      ? html`<p class="muted">Replace or remove it in <a href="/settings/providers">Settings › Provider apps</a>.</p>`
      : html`
        <p class="muted">${provider.name} lets in apps that are registered there. Register one of your own, once. ${provider.appHelp}</p>
        <${RedirectAddresses} app=${provider} />
        <${AppEntry} provider=${provider} done=${changed} />`}
  </section>`;
}

/** @param {{ provider: any, done: () => void }} props */
function AppEntry({ provider, done }) {
  const app = useProviderApp(provider, done);
  return html`<form ref=${app.form} class="stack" novalidate onSubmit=${app.submit}>
    <${AppFields} app=${app} />
    <div class="acts"><button type="submit" class="btn" data-variant="primary" aria-busy=${app.isTrying}>Save app</button></div>
  </form>`;
}
