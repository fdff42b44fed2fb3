import { useId } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { providers, readProviders } from "../../core/providers.js";
import { useResource } from "../../core/resource.js";
import { Dialog } from "../../parts/dialog.js";
import { Icon } from "../../parts/icon.js";
import { Loaded, Note } from "../../parts/states.js";
import { useCredential } from "./credential-form.js";
import { ProviderFields } from "./provider-fields.js";

/**
 * Renews the credential of a sign-in in place: its connections go on with their rows.
 *
 * @param {{ signInId: string, provider: string, account: string | null, close: () => void, done: () => void }} props
 */
export function CredentialDialog({ signInId, provider, account, close, done }) {
  const known = useResource((signal) => readProviders(signal), []);
  return html`<${Loaded} of=${known} what="what the source asks for">${() => html`<${Entry} signInId=${signInId} provider=${providers.value[provider]} account=${account} close=${close} done=${done} />`}<//>`;
}

/** @param {{ signInId: string, provider: any, account: string | null, close: () => void, done: () => void }} props */
function Entry({ signInId, provider, account, close, done }) {
  const id = useId();
  const fields = provider?.fields ?? [];
  const { form, values, fault, banner, isTrying, set, submit } = useCredential(fields, async (credentials) => {
    await call("POST /api/signins/{id}/credentials", { path: { id: signInId }, body: { credentials } });
    sayDone(`${provider?.name ?? "The source"} took the credential. Its connections go on.`);
    close();
    done();
  });
  const about = `${account ? `For ${account}. ` : ""}It is tried at the source before it is stored; connections and their rows stay.`;
  const footer = html`<button type="button" class="btn" data-variant="outline" onClick=${close}>Cancel</button>
    <button type="submit" form=${id} class="btn" data-variant="primary" aria-busy=${isTrying}><${Icon} name="key-round" />${isTrying ? "Trying it…" : "Sign in"}</button>`;
  return html`<${Dialog} title=${`Sign in to ${provider?.name ?? "the source"} again`} about=${about} close=${close} footer=${footer}>
    <form ref=${form} id=${id} class="stack" novalidate onSubmit=${submit}>
      <${ProviderFields} fields=${fields} values=${values} fault=${fault} set=${set} isHeld=${isTrying} />
      ${banner && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${banner}</span><//>`}
    </form>
  <//>`;
}
