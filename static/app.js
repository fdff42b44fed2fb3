// The Console's page: the frame, and in it the screen that the address names.
//
//   core/     what every screen works with: the one door to the service, the address, what is live, time, numbers, messages
//   parts/    what screens are made of
//   screens/  one file a screen; a screen's own parts lie in a folder of its name
//   style/    tokens (colours, sizes), then the frame, the parts, the screens
//   vendor/   what others wrote (scripts/vendor-console.sh)
//
// A screen reads with `useResource`, which loads again when something it names has changed, and acts with `call`. Nothing is kept
// in the browser but the theme, and no key or secret outlives the dialog that shows it.

import { render } from "./vendor/preact.js";
import "./vendor/signals.js";
import { html } from "./core/html.js";
import { startLive } from "./core/live.js";
import { followLinks } from "./core/address.js";
import { Frame } from "./parts/frame.js";
import { Palette } from "./parts/palette.js";
import { Toasts } from "./parts/toasts.js";
import { Screen } from "./screens/screen.js";

followLinks();
startLive();
render(
  html`<${Frame}><${Screen} /><//><${Palette} /><${Toasts} />`,
  /** @type {Element} */ (document.getElementById("app")),
);
