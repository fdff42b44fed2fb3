//! What Chromium's driver has beyond WebDriver: commands of the browser's own protocol, and the browser's log.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// One of them.
#[derive(Debug)]
pub enum DriverCommand {
    /// A command of the browser's own protocol, by name, with its parameters.
    Browser(&'static str, Value),
    /// What the page has written to the log since this was asked last.
    TakeLog,
}

impl WebDriverCompatibleCommand for DriverCommand {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, ParseError> {
        let command = match self {
            Self::Browser(..) => "goog/cdp/execute",
            Self::TakeLog => "se/log",
        };
        base_url.join(&format!(
            "session/{}/{command}",
            session_id.unwrap_or_default()
        ))
    }

    fn method_and_body(&self, _url: &Url) -> (Method, Option<String>) {
        let body = match self {
            Self::Browser(name, parameters) => json!({ "cmd": name, "params": parameters }),
            Self::TakeLog => json!({ "type": "browser" }),
        };
        (Method::POST, Some(body.to_string()))
    }
}
