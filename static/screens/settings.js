import { useEffect } from "../vendor/hooks.js";
import { go } from "../core/address.js";
import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";
import { ProviderApps } from "./settings/provider-apps.js";
import { RemoteAccess } from "./settings/remote-access.js";
import { YourData } from "./settings/your-data.js";
import { System } from "./settings/system.js";

const PARTS = /** @type {Record<string, { name: string, of: () => any }>} */ ({
  data: { name: "Your data", of: YourData },
  providers: { name: "Provider apps", of: ProviderApps },
  "remote-access": { name: "Remote access", of: RemoteAccess },
  system: { name: "System", of: System },
});

/** Your data, the apps by which providers know the service, who reaches it from elsewhere, and the service itself. @param {{ part?: string }} props */
export function Settings({ part = "data" }) {
  const found = PARTS[part];
  useEffect(() => {
    if (!found) go("/settings", { replace: true });
  }, [part]);
  if (!found) return null;
  return html`
    <${PageHead} title="Settings" about="Your data, the apps by which providers know this service, who reaches it from elsewhere, and the service itself." />
    <nav class="parts-nav" aria-label="Settings">${Object.entries(PARTS).map(([name, own]) => html`<a key=${name} class="btn" data-variant=${name === part ? "secondary" : "ghost"} href=${`/settings/${name}`} aria-current=${name === part ? "page" : undefined}>${own.name}</a>`)}</nav>
    <${found.of} />
  `;
}
