// Texts as answers bear them: what others wrote stands between fences, and what is too long ends in a mark. Neither is shown.

/** Fences stand around texts longer than this. */
const FENCED_MIN = 400;

/**
 * The text itself.
 *
 * @param {string} sent
 * @param {boolean} isUntrusted whether others wrote it: then a mark counts only outside the fences, where they cannot write one
 * @returns {{ text: string, isClipped: boolean, rest: { from: number, bytes: number } | null }} `rest` where it goes on
 */
export function unfence(sent, isUntrusted) {
  const at = sent.lastIndexOf("…[cut after byte ");
  const cut = at < 0 ? null : /^…\[cut after byte (\d+) of (\d+); get_record goes on: [^\n]*\]$/.exec(sent.slice(at));
  const body = cut ? sent.slice(0, at) : sent;
  const fenced = isUntrusted && body.length > FENCED_MIN ? /^<<<data (\S+)\n([^]*)\n\1 data>>>$/.exec(body) : null;
  const isCut = cut !== null && (!isUntrusted || fenced !== null);
  const text = fenced?.[2] ?? (isCut ? body : sent);
  const isClipped = text.endsWith("…[clipped]");
  return {
    text: isClipped ? text.slice(0, -"[clipped]".length) : text,
    isClipped,
    rest: isCut ? { from: Number(cut?.[1]), bytes: Number(cut?.[2]) } : null,
  };
}

/** The service's own words, in a sentence of the page: without the marks of code, and without the call to try. @param {string} said */
export function plain(said) {
  const text = (said.split(/\.? Try: \{/)[0] ?? "").replace(/, get_schema lists all$/, "").trim();
  // What begins with the name of a field or table keeps it as it is written.
  const isName = /^(`|[a-z_]+\.[a-z_]+ )/.test(text);
  const begun = (isName ? text : text.charAt(0).toUpperCase() + text.slice(1)).replaceAll("`", "");
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
