// Signing in at a provider: the page there sends the browser back to this one.

import { go } from "./address.js";
import { call } from "./call.js";
import { findProvider } from "./providers.js";

/** The name to which a provider sends the browser back. */
const HOME = "localhost";
/** Names of this computer other than that. */
const LOOPBACK = /^(127\.[\d.]+|\[::1\])$/;
/** What a page says in its address that was opened elsewhere: where. */
const MOVED = "from";

/** Whether a person signs in at the provider itself, and enters nothing here. @param {any} provider */
export function isSignedInThere(provider) {
  return provider?.method === "oauth" || isLinked(provider);
}

/** Whether banks are linked there, one by one. @param {any} provider */
export function isLinked(provider) {
  return provider?.method === "link";
}

/** The page on which one signs in. @param {string} provider @param {string | null} [signInId] the sign-in that is renewed */
export function signInPage(provider, signInId) {
  return signInId ? `/connections/new/${provider}?again=${signInId}` : `/connections/new/${provider}`;
}

/** Whether this page is open where the browser comes back to. */
export function isAtHome() {
  return location.hostname === HOME;
}

/** This page under the name to which the browser comes back. */
export function homeAddress() {
  const address = new URL(location.href);
  address.hostname = HOME;
  return address;
}

/** Moves there, where it is certain to be the same service: from another name of this computer. */
export function moveHome() {
  if (!LOOPBACK.test(location.hostname)) return;
  const address = homeAddress();
  address.searchParams.set(MOVED, location.hostname);
  location.replace(address);
}

/** Where this page was open before it moved. @param {URLSearchParams} query */
export function movedFrom(query) {
  return query.get(MOVED);
}

/** Has the service begin a sign-in; the address of the provider's page. @param {string} provider @param {string | null} [signInId] the sign-in that is renewed */
export async function beginSignIn(provider, signInId) {
  const { url } = await call("POST /api/oauth/{provider}/start", { path: { provider }, body: signInId ? { signInId } : {} });
  return url;
}

/** Leaves for the provider's page, in this tab. @param {string} provider @param {string | null} [signInId] the sign-in that is renewed */
export async function leaveForProvider(provider, signInId) {
  location.assign(await beginSignIn(provider, signInId));
  // What was pressed stays busy until the browser has left, and is free again if it comes back to this very page.
  await new Promise((back) => addEventListener("pageshow", back, { once: true }));
}

/** Signs in again: at once, or on the page that says what is needed first. @param {string} provider @param {string | null} signInId the sign-in that is renewed */
export async function signInAgain(provider, signInId) {
  const own = await findProvider(provider);
  const isReady = own?.appConfigured && own.returnWay === "callback" && isAtHome();
  if (isReady) await leaveForProvider(provider, signInId);
  else go(signInPage(provider, signInId));
}
