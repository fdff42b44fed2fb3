import { useId, useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Dialog } from "../../parts/dialog.js";
import { State } from "../../parts/state.js";
import { Loaded } from "../../parts/states.js";
import { AppFields, RedirectAddresses, removeProviderApp, useProviderApp } from "../connections/provider-app.js";

/** The operator's own apps at the providers at which a person signs in, and at the aggregators at which banks are linked. */
export function ProviderApps() {
  const apps = useResource(readApps, []);
  return html`
    <p class="muted">A provider lets in apps that are registered there. You register one of your own at each, once; what it is known by is kept here, encrypted.</p>
    <${Loaded} of=${apps} what="the provider apps" lines=${6}>${(/** @type {any[]} */ all) => html`<ul class="connection-list">${all.map((app) => html`<li key=${app.id}><${App} app=${app} changed=${apps.reload} /></li>`)}</ul>`}<//>
  `;
}

/** Both kinds, as one form takes them. @param {AbortSignal} signal */
async function readApps(signal) {
  const [signedIn, linked] = await Promise.all([call("GET /api/oauth-apps", { signal }), call("GET /api/aggregator-apps", { signal })]);
  const of = (/** @type {any[]} */ apps, /** @type {string} */ method) => apps.map((app) => ({ ...app, id: app.provider, method }));
  return [...of(signedIn.apps, "oauth"), ...of(linked.apps, "link")];
}

/** @param {{ app: any, changed: () => void }} props */
function App({ app, changed }) {
  const [asks, setAsks] = useState(/** @type {"enter" | "remove" | null} */ (null));
  const close = () => setAsks(null);
  const verb = app.configured ? "Replace" : "Enter";
  return html`<article class="card" aria-label=${app.name}>
    <header>
      <div class="row"><h2>${app.name}</h2>${app.configured ? html`<${State} kind="good" icon="circle-check">Entered<//><code>${app.clientIdHint}</code>` : html`<${State} kind="quiet" icon="circle-x">Not entered<//>`}</div>
      <div class="acts">
        <${Button} act=${() => setAsks("enter")} icon="key-round" size="sm" label=${`${verb} app: ${app.name}`}>${verb} app<//>
        ${app.configured && html`<${Button} act=${() => setAsks("remove")} icon="trash-2" size="sm" variant="ghost" label=${`Remove app: ${app.name}`}>Remove app<//>`}
      </div>
    </header>
    <p class="muted">${app.help}</p>
    <${RedirectAddresses} app=${app} />
    ${asks === "enter" && html`<${Enter} app=${app} close=${close} done=${changed} />`}
    ${asks === "remove" && html`<${Remove} app=${app} close=${close} done=${changed} />`}
  </article>`;
}

/** @param {{ app: any, close: () => void, done: () => void }} props */
function Enter({ app, close, done }) {
  const id = useId();
  const entered = useProviderApp(app, () => {
    sayDone(`Saved the app at ${app.name}.`);
    close();
    done();
  });
  const about = app.configured ? "Sign-ins that were made with the present app may end, and have to be made again with the new one." : app.help;
  const footer = html`<button type="button" class="btn" data-variant="outline" onClick=${close}>Cancel</button>
    <button type="submit" form=${id} class="btn" data-variant="primary" aria-busy=${entered.isTrying}>Save app</button>`;
  return html`<${Dialog} title=${`App at ${app.name}`} about=${about} close=${close} footer=${footer}>
    <form ref=${entered.form} id=${id} class="stack" novalidate onSubmit=${entered.submit}><${AppFields} app=${entered} /></form>
  <//>`;
}

/** @param {{ app: any, close: () => void, done: () => void }} props */
function Remove({ app, close, done }) {
  const remove = async () => {
    await removeProviderApp(app);
    sayDone(`Removed the app at ${app.name}.`);
    done();
  };
  const about = app.method === "link" ? `No bank can be linked or read by ${app.name} until an app is entered again. Rows stay.` : `No one can sign in at ${app.name} until an app is entered again, and sign-ins that are there cannot renew their access: their connections stop within the hour. Rows stay.`;
  return html`<${Confirm} title=${`Remove the app at ${app.name}?`} about=${about} verb="Remove app" act=${remove} close=${close} />`;
}
