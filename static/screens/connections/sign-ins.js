import { useState } from "../../vendor/hooks.js";
import { go, withQuery } from "../../core/address.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Failure } from "../../parts/states.js";
import { SignInOutcome } from "./sign-in-outcome.js";
import { UnfinishedSignIn } from "./unfinished-sign-in.js";

/**
 * What became of a sign-in from which the browser has come back, and those that have no connection yet: the person has consented, and the
 * provider could not be asked whose account it is; or what was entered is given once, and nothing has answered to it yet.
 *
 * @param {{ id: string | null, changed: () => void }} props `id` as the address has it
 */
export function SignIns({ id, changed }) {
  const all = useResource((signal) => call("GET /api/signins", { signal }), [], { on: ["connection"] });
  const asked = useResource((signal) => readOutcome(id, signal), [id]);
  const [completed, setCompleted] = useState(/** @type {any} */ (null));
  const outcome = completed ?? asked.value;
  const unfinished = all.value?.signIns.filter((each) => each.connections.length === 0 && !each.revokedAt) ?? [];
  const done = () => {
    all.reload();
    changed();
  };
  const complete = async (/** @type {string} */ signInId) => {
    const answer = await call("POST /api/signins/{id}/complete", { path: { id: signInId } });
    // What was entered in a form has become connections: they say it themselves.
    if (answer.outcome) setCompleted(answer);
    done();
  };
  const close = () => {
    setCompleted(null);
    go(withQuery({ signin: null }), { replace: true, keepScroll: true });
    document.querySelector("h1")?.focus();
  };
  const isTold = (/** @type {any} */ each) => each.id === outcome?.signInId;
  const isGone = all.value && !all.value.signIns.some(isTold);
  return html`
    ${asked.error && html`<${Failure} error=${asked.error} retry=${asked.reload} what="what became of the sign-in" />`}
    ${outcome && html`<${SignInOutcome} answer=${outcome} complete=${unfinished.some(isTold) ? complete : null} renews=${isGone ? null : outcome.signInId} close=${close} />`}
    ${unfinished.filter((each) => !isTold(each)).map((signIn) => html`<${UnfinishedSignIn} key=${signIn.id} signIn=${signIn} complete=${complete} done=${done} />`)}
  `;
}

/** It is told for a while only: then the connections themselves say it. @param {string | null} id @param {AbortSignal} signal */
async function readOutcome(id, signal) {
  if (!id) return null;
  try {
    const answer = await call("GET /api/signins/{id}", { path: { id }, signal });
    return answer.outcome ? answer : null;
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) return null;
    throw error;
  }
}
