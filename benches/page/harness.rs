//! The browser of `tests/console`, and how a screen is measured in it.

#![expect(dead_code, reason = "the browser can do more than is measured here")]

#[path = "../../tests/console/harness/browser.rs"]
mod browser;
#[path = "../../tests/console/harness/commands.rs"]
mod commands;
#[path = "../../tests/console/harness/driver.rs"]
mod driver;
#[path = "../../tests/console/harness/element.rs"]
pub mod element;

use serde_json::{Value, json};

use super::screens::{Press, Rows, Screen};
use browser::Browser;

/// Runs before each page's own scripts.
const WATCH: &str = include_str!("watch.js");

/// A browser whose pages look at themselves.
pub struct Page {
    browser: Browser,
    base: String,
}

/// What was measured of a screen once, in milliseconds.
pub struct Waits {
    pub rows: f64,
    pub control: f64,
}

impl Page {
    pub async fn start(base: &str) -> Self {
        let driver = driver::address().unwrap_or_else(|| panic!("no chromium with chromedriver"));
        let mut browser = Browser::start(driver, base).await;
        // The view as an agent asks for what the agent may not read, and is refused as it would be.
        browser.expect("preview");
        let watch = json!({ "source": WATCH });
        browser
            .command("Page.addScriptToEvaluateOnNewDocument", watch)
            .await;
        // A page of the service, so that its storage is there to say what the next one waits for.
        browser.open("/settings").await;
        let base = base.to_owned();
        Self { browser, base }
    }

    /// Opens a screen anew and presses its control.
    pub async fn measure(&self, screen: &Screen) -> Waits {
        let awaited = match &screen.rows {
            Rows::Opened(sign) | Rows::Typed { there: sign, .. } => sign,
        };
        self.ask("watch.await(arguments[0])", vec![json!(awaited)])
            .await;
        let address = format!("{}{}", self.base, screen.path);
        self.browser.client.goto(&address).await.unwrap();
        let opened = self.time("watch.opened()", vec![]).await;
        let control = self.press(&screen.control).await;
        let rows = match &screen.rows {
            Rows::Opened(_) => opened,
            Rows::Typed { press, .. } => self.press(press).await,
        };
        Waits { rows, control }
    }

    async fn press(&self, press: &Press) -> f64 {
        let Press {
            act,
            on,
            value,
            then,
        } = press;
        let script = "watch.press(...arguments)";
        self.time(
            script,
            vec![json!(act), json!(on), json!(value), json!(then)],
        )
        .await
    }

    async fn time(&self, expression: &str, arguments: Vec<Value>) -> f64 {
        self.ask(expression, arguments).await.as_f64().unwrap()
    }

    /// What an expression comes to in the page; a promise is awaited.
    async fn ask(&self, expression: &str, arguments: Vec<Value>) -> Value {
        self.browser
            .run(&format!("return {expression}"), arguments)
            .await
    }

    /// Ends the browser, unless it has complained of something.
    pub async fn end(self) {
        let complaints = self.browser.complaints().await;
        assert!(complaints.is_empty(), "{complaints:#?}");
        self.browser.client.close().await.unwrap();
    }
}
