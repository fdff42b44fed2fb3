import { useEffect, useRef } from "../../vendor/hooks.js";
import { go } from "../../core/address.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Note } from "../../parts/states.js";
import { useCredential } from "./credential-form.js";
import { ProviderFields } from "./provider-fields.js";

/** @type {import("./provider-fields.js").ProviderField[]} */
const FIELDS = [{ name: "address", label: "Address where the other tab ended", kind: "address", optional: false, help: "The whole of it, from https to the end. It serves once, and for ten minutes." }];

/**
 * A provider that sends the browser to an address at which nothing answers: its page opens in another tab, and the person brings back
 * the address.
 *
 * @param {{ provider: any, url: string, anew: () => Promise<void> }} props `url` is the provider's page
 */
export function PastedReturn({ provider, url, anew }) {
  const head = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => head.current?.focus(), []);
  const { form, values, fault, banner, isTrying, set, submit } = useCredential(FIELDS, async (entered) => {
    const outcome = await call("POST /api/oauth/{provider}/paste", { path: { provider: provider.id }, body: /** @type {any} */ (entered) });
    go(`/connections?signin=${outcome.id}`);
  });
  return html`<section class="card" aria-labelledby="bring-head">
    <h2 id="bring-head" ref=${head} tabindex="-1">Sign in at ${provider.name}, and come back with the address</h2>
    <ol class="numbered">
      <li><span>Sign in there and accept what it asks.</span> <${ButtonLink} href=${url} icon="link" variant="primary" inNewTab>Open ${provider.name} in another tab<//></li>
      <li>That tab ends at an address that begins with <code>${provider.redirectUri}</code> and says that it cannot be reached. That is as it should be: nothing answers there.</li>
      <li>Copy that address from its address bar, and paste it here.</li>
    </ol>
    <form ref=${form} class="stack" novalidate onSubmit=${submit}>
      <${ProviderFields} fields=${FIELDS} values=${values} fault=${fault} set=${set} isHeld=${isTrying} />
      ${banner && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${banner}</span><//>`}
      <div class="acts">
        <button type="submit" class="btn" data-variant="primary" aria-busy=${isTrying}>Finish the sign-in</button>
        <${Button} act=${anew} variant="ghost">Begin anew<//>
        <span role="status" class="muted">${isTrying ? `Asking ${provider.name}…` : ""}</span>
      </div>
    </form>
  </section>`;
}
