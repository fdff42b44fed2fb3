// The one door to the service. A route is named as the service lists it ("GET /api/agents/{name}"), so that what the page calls can be
// held against the routes there are (static/api.d.ts).

import { parseJson } from "./json.js";

/** A refusal of the service, or its silence: `code` as in docs/reference.md, `silent` when it did not answer. */
export class ServiceError extends Error {
  /** @param {{ status: number, code: string, message: string, said?: string, field?: string }} told `said` as the service wrote it */
  constructor({ status, code, message, said = message, field }) {
    super(message);
    this.said = said;
    this.status = status;
    this.code = code;
    this.field = field;
  }

  /** Whether nobody answered. */
  get isSilence() {
    return this.code === "silent";
  }
}

/** @typedef {{ path?: Record<string, string>, query?: object, body?: unknown, signal?: AbortSignal }} AnyOptions */

/**
 * Asks the service and reads its answer.
 *
 * @template {keyof import("../api").Routes & string} R
 * @param {R} route
 * @param {import("../api").Options<R>} [options] what of the query is empty, null or undefined is not sent
 * @returns {Promise<import("../api").Routes[R]["answer"]>}
 * @throws {ServiceError}
 */
export async function call(route, options) {
  const { path, query, body, signal } = /** @type {AnyOptions} */ (options ?? {});
  const [method = "GET", template = ""] = route.split(" ");
  const response = await send(address(template, path, query), {
    method,
    signal,
    ...(method === "GET" ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) }),
  });
  return read(response);
}

/** The address of a route, to be opened as a file. @param {string} template @param {Record<string, string>} path @param {object} [query] */
export function address(template, path = {}, query = {}) {
  const filled = template.replace(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(path[name] ?? ""));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `${filled}?${parameters}` : filled;
}

/** Sends one request. @param {string} url @param {RequestInit} options @throws {ServiceError} when nobody answers */
export async function send(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ServiceError({ status: 0, code: "silent", message: "The service did not answer." });
  }
}

/** Reads an answer. @param {Response} response @throws {ServiceError} when it is a refusal */
export async function read(response) {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const answer = isJson && text !== "" ? parseJson(text) : null;
  if (response.ok) return answer;
  throw new ServiceError({
    status: response.status,
    code: answer?.error ?? "internal",
    message: sentence(answer?.message ?? `The service refused with ${response.status}.`),
    said: answer?.message,
    field: answer?.field,
  });
}

/** A refusal's text as a sentence; a name at its beginning (`imap.example.org`) stays as it is. @param {string} text */
export function sentence(text) {
  const begun = /^[a-z]+[ ,:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
