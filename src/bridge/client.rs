//! Who asks: a client that registered itself, or one that is known by its document (OAuth Client ID Metadata Document).

use std::fmt;

use url::Url;

use super::limits::{CLIENT_ID_BYTES_MAX, NAME_CHARS_MAX, REDIRECT_BYTES_MAX};

/// What a registered client's id begins with.
const REGISTERED_PREFIX: &str = "sxc_";

/// A client of the bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BridgeClient {
    pub id: ClientId,
    /// What it calls itself; nobody has checked that.
    pub name: Option<ClientName>,
    pub redirects: Vec<RedirectAddress>,
}

/// Under which id it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClientId {
    /// It registered here.
    Registered(String),
    /// It is what the document at this address says.
    Document(Url),
}

/// A client's name as it may be shown: in one line, cut to a length, without what hides or reverses text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientName(String);

/// Where a browser is sent with the answer: an https address, or one of the browser's own computer (RFC 8252 §7.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RedirectAddress(Url, String);

impl ClientId {
    /// The id of a new registration, from random text.
    pub(super) fn registered(random: &str) -> Self {
        Self::Registered(format!("{REGISTERED_PREFIX}{random}"))
    }

    /// Reads an id; `None` if neither kind of client could have it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() > CLIENT_ID_BYTES_MAX {
            return None;
        }
        if text.starts_with(REGISTERED_PREFIX) {
            return Some(Self::Registered(text.to_owned()));
        }
        let url = Url::parse(text).ok()?;
        let is_whole = url.scheme() == "https" && url.as_str() == text && url.path() != "/";
        let has_more =
            !url.username().is_empty() || url.password().is_some() || url.fragment().is_some();
        (is_whole && !has_more).then_some(Self::Document(url))
    }

    /// The id as it is sent.
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Registered(id) => id,
            Self::Document(url) => url.as_str(),
        }
    }
}

impl ClientName {
    /// Cleans a name; `None` if nothing is left to show.
    pub(crate) fn clean(text: &str) -> Option<Self> {
        let shown: String = text.chars().filter(|letter| is_shown(*letter)).collect();
        let words: Vec<&str> = shown.split_whitespace().collect();
        let name: String = words.join(" ").chars().take(NAME_CHARS_MAX).collect();
        (!name.is_empty()).then_some(Self(name))
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a letter neither steers a terminal or page nor changes how its neighbours are read: no control character, no mark of direction
/// (Unicode Bidi_Control), none of zero width.
fn is_shown(letter: char) -> bool {
    let hides = matches!(
        letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    !hides && (!letter.is_control() || letter.is_whitespace())
}

impl RedirectAddress {
    /// Reads an address of a registration; `None` if answers may not be sent there.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() > REDIRECT_BYTES_MAX {
            return None;
        }
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?;
        let is_own_computer = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        let is_allowed = match url.scheme() {
            "https" => true,
            "http" => is_own_computer,
            _ => false,
        };
        let has_more =
            !url.username().is_empty() || url.password().is_some() || url.fragment().is_some();
        (is_allowed && !has_more).then(|| Self(url, text.to_owned()))
    }

    /// Exactly as it was registered: what an address of a request must be, letter by letter.
    pub(crate) fn as_str(&self) -> &str {
        &self.1
    }

    /// The host and port that a person is shown.
    pub(crate) fn authority(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// The origin, for a policy that lets a form lead there.
    pub(crate) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Whether the answer stays on the computer of the browser.
    pub(crate) fn is_own_computer(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// The address with these parameters added to its own.
    pub(crate) fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        url.into()
    }
}

impl fmt::Display for ClientName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_of_a_registration_or_the_whole_address_of_a_document() {
        let read = |text: &str| ClientId::parse(text).map(|id| id.as_str().to_owned());
        for id in [
            "sxc_abc",
            "https://claude.ai/oauth/mcp-oauth-client-metadata",
            "https://client.example/me.json?v=1",
        ] {
            assert_eq!(read(id).as_deref(), Some(id));
        }
        for text in [
            "",
            "abc",
            "http://client.example/me.json",
            "https://client.example",
            "https://client.example/",
            "https://client.example/a/../me.json",
            "https://client.example/me.json#x",
            "https://me@client.example/me.json",
            "HTTPS://client.example/me.json",
            "https://CLIENT.example/me.json",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&format!("sxc_{}", "x".repeat(2000))), None);
    }

    #[test]
    fn answers_go_to_https_or_to_the_browsers_own_computer() {
        let read = |text: &str| RedirectAddress::parse(text).map(|address| address.authority());
        for (text, authority) in [
            ("https://claude.ai/api/mcp/auth_callback", "claude.ai"),
            ("http://localhost:3000/callback", "localhost:3000"),
            ("http://127.0.0.1/callback", "127.0.0.1"),
            ("http://[::1]:1/", "[::1]:1"),
        ] {
            assert_eq!(read(text).as_deref(), Some(authority), "{text}");
        }
        for text in [
            "",
            "/callback",
            "http://client.example/callback",
            "http://127.0.0.1.evil.example/",
            "https://client.example/#fragment",
            "https://user:word@client.example/",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "cursor://oauth/callback",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_answer_is_added_to_what_the_address_asks_already() {
        let address = RedirectAddress::parse("https://client.example/cb?a=1").unwrap();
        let sent = address.with(&[("code", "x y"), ("state", "&")]);
        assert_eq!(sent, "https://client.example/cb?a=1&code=x+y&state=%26");
    }

    #[test]
    fn a_name_is_one_line_of_what_can_be_seen() {
        let clean = |text: &str| ClientName::clean(text).map(|name| name.to_string());
        assert_eq!(
            clean("  Claude\n\tDesktop ").as_deref(),
            Some("Claude Desktop")
        );
        assert_eq!(
            clean("evil\u{202e}txt\u{200b}.exe\u{0}").as_deref(),
            Some("eviltxt.exe")
        );
        assert_eq!(clean("\u{200b} \n"), None);
        assert_eq!(clean(&"x".repeat(500)).unwrap().len(), NAME_CHARS_MAX);
    }
}
