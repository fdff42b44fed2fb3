// Sending files to the service. It goes on while other screens are looked at, and ends with the tab.

import { signal } from "../vendor/signals-core.js";
import { ServiceError, address, call, read } from "./call.js";

/** Files that are sent at one time. */
const AT_ONCE_MAX = 4;
/** The time between two updates of what the page shows of it, ms. */
const TELL_EVERY_MS = 200;

/** @typedef {{ path: string, file: File }} ChosenFile */
/** @typedef {{ id: string, files: number, bytes: number, sentFiles: number, sentBytes: number, unsent: { chosen: ChosenFile, why: string }[], isOver: boolean }} Sending */

/** What is being sent, or was sent last. */
export const sending = signal(/** @type {Sending | null} */ (null));

addEventListener("beforeunload", (event) => {
  if (sending.value && !sending.value.isOver) event.preventDefault();
});

/** The files of an input. @param {HTMLInputElement} input @returns {ChosenFile[]} */
export function chosenBy(input) {
  return [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files that were dropped, with those of dropped folders. @param {DataTransfer} dropped @returns {Promise<ChosenFile[]>} */
export async function droppedFiles(dropped) {
  // The list is emptied once the event is over.
  const items = [...dropped.items].filter((item) => item.kind === "file").map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = /** @type {ChosenFile[]} */ ([]);
  for (const { entry, file } of items) {
    if (entry) await gather(entry, found);
    else if (file) found.push({ path: file.name, file });
  }
  return found;
}

/** @param {FileSystemEntry} entry @param {ChosenFile[]} found */
async function gather(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  // It returns a part at a time, and nothing at the end.
  for (;;) {
    const entries = /** @type {FileSystemEntry[]} */ (await new Promise((resolve, reject) => reader.readEntries(resolve, reject)));
    if (entries.length === 0) return;
    for (const inner of entries) await gather(inner, found);
  }
}

/** Opens an upload and begins to send; the id. @param {ChosenFile[]} files @returns {Promise<string>} */
export async function beginUpload(files) {
  if (sending.value && !sending.value.isOver) throw new Error("Other files are still being sent. Wait until they are there.");
  const { id } = await call("POST /api/uploads");
  void sendAll(id, files);
  return id;
}

/** Sends again what could not be sent. */
export function sendAgain() {
  const last = sending.value;
  if (last) void sendAll(last.id, last.unsent.map(({ chosen }) => chosen));
}

/** Sends all files, then has them checked. @param {string} id @param {ChosenFile[]} files */
async function sendAll(id, files) {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  latest = { id, files: files.length, bytes, sentFiles: 0, sentBytes: 0, unsent: [], isOver: false };
  tell();
  const waiting = [...files].reverse();
  const senders = Array.from({ length: AT_ONCE_MAX }, async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await sendOne(id, next);
  });
  await Promise.all(senders);
  // What is checked is all of it: with something unsent the person decides.
  if (latest?.unsent.length === 0) await call("POST /api/uploads/{id}/check", { path: { id } }).catch(() => null);
  change((now) => ({ ...now, isOver: true }));
  tell();
}

/** @param {string} id @param {ChosenFile} chosen */
async function sendOne(id, chosen) {
  let sent = 0;
  const progress = (/** @type {number} */ bytes) => {
    const more = bytes - sent;
    sent = bytes;
    change((now) => ({ ...now, sentBytes: now.sentBytes + more }));
  };
  try {
    await post(address("/api/uploads/{id}/files", { id }, { path: chosen.path }), chosen.file, progress);
    progress(chosen.file.size);
    change((now) => ({ ...now, sentFiles: now.sentFiles + 1 }));
  } catch (error) {
    progress(0);
    const why = error instanceof Error ? error.message : String(error);
    change((now) => ({ ...now, unsent: [...now.unsent, { chosen, why }] }));
  }
}

/** Sends a file; `fetch` would not say how far it is. @param {string} url @param {File} file @param {(bytes: number) => void} progress */
function post(url, file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = (event) => progress(Math.min(event.loaded, file.size));
    request.onload = () => {
      const headers = { "content-type": request.getResponseHeader("content-type") ?? "" };
      read(new Response(request.responseText, { status: request.status, headers })).then(resolve, reject);
    };
    request.onerror = () => reject(new ServiceError({ status: 0, code: "silent", message: "The service did not answer, or the file cannot be read any more." }));
    request.send(file);
  });
}

let latest = /** @type {Sending | null} */ (null);
let telling = 0;

/** Changes what is being sent; of many changes the page is told a few times a second. @param {(now: Sending) => Sending} next */
function change(next) {
  if (latest) latest = next(latest);
  if (telling === 0) telling = setTimeout(tell, TELL_EVERY_MS);
}

/** Tells the page. */
function tell() {
  clearTimeout(telling);
  telling = 0;
  sending.value = latest;
}
