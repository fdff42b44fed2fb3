import { useState } from "../../vendor/hooks.js";
import { call, sentence } from "../../core/call.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { endsAt, sayEnded } from "./revocation.js";

/** A sign-in without connections. @param {{ signIn: any, complete: (id: string) => Promise<void>, done: () => void }} props */
export function UnfinishedSignIn({ signIn, complete, done }) {
  const [isAsked, ask] = useState(false);
  const { id, name, method, createdAt, problem } = signIn;
  return html`<article class="card connection-row" aria-label=${`Sign-in at ${name}`}>
    <header>
      <div class="stack-small"><h2>Sign-in at ${name}</h2><p class="facts"><span>Begun <${Time} at=${createdAt} /></span><span>nothing is connected yet</span></p></div>
      <div class="acts">
        <${Button} act=${() => complete(id)} icon="refresh-cw" size="sm" variant="primary" label=${`Try again: ${name}`}>Try again<//>
        <${Button} act=${() => ask(true)} icon="trash-2" size="sm" variant="ghost" label=${`Discard the sign-in at ${name}`}>Discard<//>
      </div>
    </header>
    <${Note} icon="triangle-alert" kind="warn">${problem?.message ? html`<bdi>${sentence(problem.message)}</bdi>` : method === "paste" ? `What was entered is kept, and ${name} did not answer with it yet.` : `${name} could not be asked whose account it is.`}<//>
    ${isAsked && html`<${Discard} signIn=${signIn} close=${() => ask(false)} done=${done} />`}
  </article>`;
}

/** @param {{ signIn: any, close: () => void, done: () => void }} props */
function Discard({ signIn, close, done }) {
  const discard = async () => {
    const { consent } = await call("POST /api/signins/{id}/revoke", { path: { id: signIn.id } });
    sayEnded(`Discarded the sign-in at ${signIn.name}.`, consent);
    done();
  };
  return html`<${Confirm} title=${`Discard the sign-in at ${signIn.name}?`} about=${`What is kept of it is deleted here. ${endsAt(signIn.name)}`} verb="Discard" act=${discard} close=${close} />`;
}
