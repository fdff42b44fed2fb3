import { useId } from "../../vendor/hooks.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Button } from "../../parts/button.js";

/** What a file may leave open: how it is asked, and how it is answered. @type {Record<string, { asks: string, options?: [string, string][], hint?: string }>} */
const QUESTIONS = {
  account: { asks: "Whose account is it?", hint: "Checking" },
  currency: { asks: "Which currency are its amounts in?", hint: "EUR" },
  dateOrder: { asks: "How are its dates written?", options: [["dmy", "Day, month, year (31.12.2026)"], ["mdy", "Month, day, year (12/31/2026)"], ["ymd", "Year, month, day (2026-12-31)"]] },
  positive: { asks: "What are amounts without a minus?", options: [["in", "Money that came in (most accounts)"], ["out", "Money that was spent (some cards)"]] },
};

/** Files that a person answers one by one. */
const ASKED_MAX = 20;

/** What files leave open, asked beside each. @param {{ files: any[], answers: any, change: (answers: any) => void, check: () => Promise<void> }} props */
export function Questions({ files, answers, change, check }) {
  const asked = files.filter((file) => file.question !== null);
  if (asked.length === 0) return null;
  const say = (/** @type {any[]} */ those, /** @type {string} */ name, /** @type {string} */ answer) => {
    const next = { ...answers };
    for (const { path } of those) {
      const { [name]: _old, ...rest } = next[path] ?? {};
      next[path] = answer === "" ? rest : { ...rest, [name]: answer };
    }
    change(next);
  };
  return html`<section class="card" aria-labelledby="questions-head">
    <h2 id="questions-head">${counted(asked.length, "file")} ${asked.length === 1 ? "leaves" : "leave"} something open</h2>
    <p class="muted">It is never guessed. Answer, then check again.</p>
    <ul class="questions">${asked.slice(0, ASKED_MAX).map((file) => {
      const same = asked.filter((other) => other.question === file.question);
      const given = answers[file.path]?.[file.question] ?? "";
      return html`<li key=${file.path}>
        <${Question} file=${file} given=${given} answer=${(/** @type {string} */ answer) => say([file], file.question, answer)} />
        ${same.length > 1 && given !== "" && html`<${Button} act=${() => say(same, file.question, given)} size="sm" variant="ghost" label=${`Answer ${file.path} for all that ask this`}>Same for all ${same.length}<//>`}
      </li>`;
    })}</ul>
    ${asked.length > ASKED_MAX && html`<p class="muted">And ${counted(asked.length - ASKED_MAX, "other file")}, asked next.</p>`}
    <div class="acts"><${Button} act=${check} icon="refresh-cw" variant="primary">Check with these answers<//></div>
  </section>`;
}

/** @param {{ file: any, given: string, answer: (answer: string) => void }} props */
function Question({ file, given, answer }) {
  const id = useId();
  const { asks, options, hint } = QUESTIONS[file.question] ?? { asks: file.reason };
  const change = (/** @type {any} */ event) => answer(file.question === "currency" ? event.currentTarget.value.toUpperCase() : event.currentTarget.value);
  return html`<div class="field">
    <label for=${id}><span><bdi>${file.path}</bdi>: ${asks}</span></label>
    ${options
      ? html`<select id=${id} class="select" onChange=${change}><option value="" selected=${given === ""}>Choose</option>${options.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === given}>${text}</option>`)}</select>`
      : html`<input id=${id} class="input" value=${given} placeholder=${hint} autocomplete="off" spellcheck=${false} maxlength=${file.question === "currency" ? 3 : 100} onInput=${change} />`}
  </div>`;
}
