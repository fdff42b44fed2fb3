//! One session of the browser: opening screens, pressing keys, and what the page has complained of.

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};

use super::commands::DriverCommand;
use super::element::{Locator, Role};
use crate::support::eventually::eventually;

/// Of a desk.
pub const WIDE: u32 = 1280;
/// Of a telephone.
pub const NARROW: u32 = 390;
/// The narrowest that must do.
pub const NARROWEST: u32 = 320;

/// A name of this computer that is none of the service's.
pub const FOREIGN: &str = "evil.test";

const HEIGHT: u32 = 860;

/// Runs before each page's own scripts: keeps what the content security policy has refused.
const LISTEN: &str = "window.refusedByPolicy = []; \
    addEventListener('securitypolicyviolation', (e) => window.refusedByPolicy.push(`${e.violatedDirective}: ${e.blockedURI} ${e.sample}`));";

/// A browser with one page.
pub struct Browser {
    pub client: Client,
    /// `http://address:port` of the Console.
    base: String,
    /// Beginnings or parts of log entries that a test brings about on purpose.
    expected: Vec<&'static str>,
}

impl Browser {
    /// Starts one, in English, in the zone UTC.
    pub async fn start(driver: &str, base: &str) -> Self {
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities())
            .connect(driver)
            .await
            .unwrap();
        let browser = Self {
            client,
            base: base.to_owned(),
            expected: Vec::new(),
        };
        browser.command("Page.enable", json!({})).await;
        // As a browser that is seen lets a page write there, and to read what was written.
        let clipboard = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
        browser.command("Browser.grantPermissions", clipboard).await;
        let listen = json!({ "source": LISTEN });
        browser
            .command("Page.addScriptToEvaluateOnNewDocument", listen)
            .await;
        browser.set_width(WIDE).await;
        browser
    }

    /// Has the browser speak this language (BCP 47) in this zone (IANA).
    pub async fn set_locale(&self, language: &str, zone: &str) {
        self.command("Emulation.setLocaleOverride", json!({ "locale": language }))
            .await;
        self.command(
            "Emulation.setTimezoneOverride",
            json!({ "timezoneId": zone }),
        )
        .await;
    }

    /// Sets the width of the page, CSS pixels.
    pub async fn set_width(&self, width: u32) {
        let screen =
            json!({ "width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", screen)
            .await;
        assert_eq!(self.run("return innerWidth", vec![]).await, json!(width));
    }

    /// Sets what the system prefers: "light" or "dark"; and no motion, so that colours are looked at when they have changed.
    pub async fn set_theme(&self, theme: &str) {
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": theme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.command("Emulation.setEmulatedMedia", features).await;
        // The page follows in an event of its own; one whose theme was chosen does not follow.
        let follows = format!(
            "return !window.theme || theme.choice() !== 'system' || document.documentElement.classList.contains('dark') === {}",
            theme == "dark"
        );
        self.eventually("the page has the theme", &follows).await;
    }

    /// Has the system force its own colours.
    pub async fn force_colours(&self) {
        let features = json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
        self.command("Emulation.setEmulatedMedia", features).await;
    }

    /// Opens a screen by its address and waits until it shows what it reads.
    pub async fn open(&self, path: &str) {
        self.client
            .goto(&format!("{}{path}", self.base))
            .await
            .unwrap();
        self.is_ready().await;
    }

    /// Waits until everything that the page shows has been read.
    pub async fn is_ready(&self) {
        self.eventually(
            "the page is ready",
            "return document.body.hasAttribute('data-ready')",
        )
        .await;
    }

    /// The address of the page without its origin.
    pub async fn path(&self) -> String {
        let address = self
            .run("return location.pathname + location.search", vec![])
            .await;
        address.as_str().unwrap().to_owned()
    }

    /// Waits until the page's address is this.
    pub async fn is_at(&self, path: &str) {
        eventually(&format!("the page is at {path}"), async || {
            self.path().await == path
        })
        .await;
    }

    /// All that the page shows, as text.
    pub async fn text(&self) -> String {
        let text = self.run("return document.body.innerText", vec![]).await;
        text.as_str().unwrap().to_owned()
    }

    /// Waits until the page shows this text.
    pub async fn shows(&self, text: &str) {
        eventually(&format!("the page shows {text:?}"), async || {
            self.text().await.contains(text)
        })
        .await;
    }

    /// Waits until the page shows this text no more.
    pub async fn hides(&self, text: &str) {
        eventually(&format!("the page hides {text:?}"), async || {
            !self.text().await.contains(text)
        })
        .await;
    }

    /// What has this role and this name; it is looked for when it is used.
    pub fn the(&self, role: Role, name: &str) -> Locator<'_> {
        Locator::new(self, role, name)
    }

    pub fn button(&self, name: &str) -> Locator<'_> {
        self.the(Role::Button, name)
    }

    pub fn link(&self, name: &str) -> Locator<'_> {
        self.the(Role::Link, name)
    }

    pub fn field(&self, name: &str) -> Locator<'_> {
        self.the(Role::Field, name)
    }

    pub fn switch(&self, name: &str) -> Locator<'_> {
        self.the(Role::Switch, name)
    }

    /// Presses keys one after another, wherever the focus is.
    pub async fn press(&self, keys: &[Key]) {
        let actions = keys
            .iter()
            .fold(KeyActions::new("keys".to_owned()), |actions, key| {
                let value = char::from(*key);
                actions
                    .then(KeyAction::Down { value })
                    .then(KeyAction::Up { value })
            });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// The text on the clipboard.
    pub async fn clipboard(&self) -> String {
        let text = self.run("return navigator.clipboard.readText()", vec![]);
        text.await.as_str().unwrap().to_owned()
    }

    /// Runs a script in the page, `arguments[0]` and so on its arguments.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// Waits until a script returns true.
    pub async fn eventually(&self, what: &str, script: &str) {
        eventually(what, async || self.run(script, vec![]).await == json!(true)).await;
    }

    /// Log entries that have this in them are the test's own doing.
    pub fn expect(&mut self, part: &'static str) {
        self.expected.push(part);
    }

    /// What the page has complained of since this was asked last, but for what is expected.
    pub async fn complaints(&self) -> Vec<String> {
        let refused = self
            .run("return (window.refusedByPolicy ?? []).splice(0)", vec![])
            .await;
        let refused = refused.as_array().unwrap().iter().map(ToString::to_string);
        let log = self.client.issue_cmd(DriverCommand::TakeLog).await.unwrap();
        let severe = log.as_array().unwrap().iter();
        let severe = severe.filter(|entry| entry["level"] == "SEVERE");
        let severe = severe.map(|entry| entry["message"].as_str().unwrap().to_owned());
        let is_unexpected = |text: &String| !self.expected.iter().any(|part| text.contains(part));
        refused.chain(severe).filter(is_unexpected).collect()
    }

    pub(super) async fn command(&self, name: &'static str, parameters: Value) -> Value {
        let command = DriverCommand::Browser(name, parameters);
        self.client.issue_cmd(command).await.unwrap()
    }
}

fn capabilities() -> Map<String, Value> {
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en-GB",
        "--host-resolver-rules=MAP evil.test 127.0.0.1, MAP box.example 127.0.0.1",
    ];
    let capabilities = json!({
        "browserName": "chrome",
        "acceptInsecureCerts": true,
        "goog:chromeOptions": { "args": flags },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    capabilities.as_object().unwrap().clone()
}
