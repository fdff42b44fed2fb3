import { useEffect, useState } from "../vendor/hooks.js";
import { call } from "../core/call.js";
import { html } from "../core/html.js";
import { here } from "../core/address.js";
import { link } from "../core/live.js";
import { useResource } from "../core/resource.js";
import { setStatus, status } from "../core/service.js";
import { foreignZone, zone } from "../core/time.js";
import { Icon } from "./icon.js";
import { openPalette } from "./palette.js";

/** The six places. */
const PLACES = [
  { path: "/", name: "Overview", icon: "layout-dashboard" },
  { path: "/connections", name: "Connections", icon: "plug" },
  { path: "/agents", name: "Agents", icon: "key-round" },
  { path: "/activity", name: "Activity", icon: "activity" },
  { path: "/data", name: "Data", icon: "database" },
  { path: "/settings", name: "Settings", icon: "settings" },
];

/** The frame of every screen: the places, how the service can be reached, and the screen. @param {{ children: any }} props */
export function Frame({ children }) {
  const own = useResource((signal) => call("GET /api/status", { signal }), [], { on: ["attention", "actor", "connection", "exposure"] });
  useEffect(() => {
    if (own.value) setStatus(own.value);
  }, [own.value]);
  return html`<div class="frame">
    <a class="skip" href="#screen" onClick=${skip}>Skip to the screen</a>
    <${Rail} />
    <main id="screen" tabindex="-1">${link.value === "lost" && html`<${Lost} />`}<${Opened} />${children}<${ZoneNote} /></main>
  </div>`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("screen")?.focus();
}

function Rail() {
  const attention = status.value?.attention.length ?? 0;
  return html`<header class="rail">
    <div class="brand"><img src="/static/mark.svg" alt="" width="26" height="26" /><span>Sextant</span></div>
    <a class="badge reach" data-variant="outline" href="/settings/remote-access">${status.value?.exposure.mode === "public" ? "agents elsewhere, too" : "this computer only"}</a>
    <button type="button" class="btn search-button" data-variant="outline" onClick=${openPalette} aria-keyshortcuts="Control+K"><${Icon} name="search" /><span>Search</span><kbd class="kbd">Ctrl K</kbd></button>
    <nav aria-label="Places">
      ${PLACES.map(({ path, name, icon }) => html`<a key=${path} href=${path} aria-current=${isAt(path) ? "page" : undefined}>
        <${Icon} name=${icon} /><span>${name}</span>
        ${path === "/" && attention > 0 && html`<span class="badge count" aria-label=${`${attention} need you`}>${attention}</span>`}
      </a>`)}
    </nav>
    <div class="rail-foot"><${Link} /><${Theme} /></div>
  </header>`;
}

/** Whether the present screen belongs to a place. @param {string} path */
function isAt(path) {
  const now = here.value.path;
  return path === "/" ? now === "/" || now === "/welcome" : now === path || now.startsWith(`${path}/`);
}

/** Whether what is shown is kept up to date. */
function Link() {
  const words = { connecting: "Connecting…", live: "Live", lost: "Reconnecting…" };
  return html`<span class="link" data-link=${link.value} role="status"><span class="dot"></span>${words[link.value]}</span>`;
}

function Lost() {
  return html`<p class="lost" role="alert"><${Icon} name="unplug" />The service cannot be reached. What you see may be out of date; the page tries again by itself.</p>`;
}

/** Stands for as long as the Console answers to other names than this computer's own. */
function Opened() {
  const exposure = status.value?.exposure;
  if (!exposure || exposure.allowedHosts.length === 0) return null;
  const isPublic = exposure.url !== null && exposure.allowedHosts.includes(new URL(exposure.url).hostname);
  return html`<p class="lost" role="status"><${Icon} name="triangle-alert" /><span>Anyone who can open this port can use this Console. It also answers to ${exposure.allowedHosts.join(", ")} (REST_ALLOWED_HOSTS)${isPublic && ", the public address of agents among them: take that name out"}.</span></p>`;
}

/** The theme: the system's, light or dark. */
function Theme() {
  const [choice, setChoice] = useState(window.theme.choice());
  const next = /** @type {Record<string, "light" | "dark" | "system">} */ ({ system: "light", light: "dark", dark: "system" })[choice] ?? "system";
  const icons = /** @type {Record<string, string>} */ ({ system: "sun-moon", light: "sun", dark: "moon" });
  const change = () => {
    window.theme.choose(next);
    setChoice(next);
  };
  return html`<button type="button" class="btn" data-variant="ghost" data-size="sm" onClick=${change} aria-label=${`Theme: ${choice}. Change to ${next}`}><${Icon} name=${icons[choice] ?? "sun"} /><span>Theme: ${choice}</span></button>`;
}

/** Names the zone of all times, and says where the browser's own differs. */
function ZoneNote() {
  const own = foreignZone();
  return html`<p class="zone-note">Times are in ${zone.value}${own && html`, the service’s zone; this browser is in ${own}`}.</p>`;
}
