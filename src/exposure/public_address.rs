use std::fmt;

use url::Url;

use crate::host::{Authority, Host};

/// The path at which agents are served.
const AGENT_PATH: &str = "/mcp";
/// Where the metadata of the protected resource lies (RFC 9728 §3.1).
const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";
/// The path of the sign-in page.
const AUTHORIZE_PATH: &str = "/authorize";
/// The port of https.
const HTTPS_PORT: u16 = 443;

/// An https address of the agent port: a name, and a port if it is not 443.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicAddress {
    host: Host,
    port: u16,
    /// Whether it was written with the path of the agents.
    has_path: bool,
}

/// Why a text is no public address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicAddressFault {
    /// It is no URL.
    NotAnUrl,
    /// Its scheme is not https.
    NotHttps,
    /// It holds a user, a query or a fragment.
    HasMore,
    /// It has another path than `/mcp`.
    OtherPath,
    /// It names this computer.
    Loopback,
}

impl fmt::Display for PublicAddressFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotAnUrl => "enter the whole address, as https://name.example",
            Self::NotHttps => {
                "hosted agents call https addresses alone; enter one that begins with https://"
            }
            Self::HasMore => "enter the address without a user, a question mark or a hash",
            Self::OtherPath => {
                "the agent port is served at /mcp of a name of its own; enter the address without any other path"
            }
            Self::Loopback => {
                "this is this computer's own name, which nobody elsewhere reaches; enter the name that others reach it by"
            }
        })
    }
}

impl std::error::Error for PublicAddressFault {}

impl PublicAddress {
    /// Reads `https://host[:port]`, with or without `/mcp`.
    ///
    /// # Errors
    /// What is to be entered instead.
    pub fn parse(text: &str) -> Result<Self, PublicAddressFault> {
        let url = Url::parse(text.trim()).map_err(|_| PublicAddressFault::NotAnUrl)?;
        if url.scheme() != "https" {
            return Err(PublicAddressFault::NotHttps);
        }
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(PublicAddressFault::HasMore);
        }
        let has_path = match url.path().trim_end_matches('/') {
            "" => false,
            AGENT_PATH => true,
            _ => return Err(PublicAddressFault::OtherPath),
        };
        let host = url.host_str().and_then(Host::of_setting);
        let host = host.ok_or(PublicAddressFault::NotAnUrl)?;
        if host.is_this_computer() {
            return Err(PublicAddressFault::Loopback);
        }
        Ok(Self {
            host,
            port: url.port().unwrap_or(HTTPS_PORT),
            has_path,
        })
    }

    /// The name, or the address of the computer.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// The port that callers connect to.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// `https://host[:port]`: the issuer of tokens, and the origin of the sign-in page.
    pub fn origin(&self) -> String {
        match self.port {
            HTTPS_PORT => format!("https://{}", self.host),
            port => format!("https://{}:{port}", self.host),
        }
    }

    /// What is entered in a hosted agent, and the resource that tokens are for (RFC 8707).
    pub fn agent_url(&self) -> String {
        format!("{}{AGENT_PATH}", self.origin())
    }

    /// Where a person shows an agent's key.
    pub fn authorize_url(&self) -> String {
        format!("{}{AUTHORIZE_PATH}", self.origin())
    }

    /// Where the metadata of the resource lies, as a challenge names it.
    pub fn resource_metadata_url(&self) -> String {
        format!("{}{RESOURCE_METADATA}{AGENT_PATH}", self.origin())
    }

    /// Whether a client that asks for this resource means this service: its agents' address, or its origin, with or without a slash.
    pub fn is_resource(&self, resource: &str) -> bool {
        Self::parse(resource).is_ok_and(|named| named.is_same_place(self))
    }

    /// Whether both lead to the same place, however they were written.
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.host == other.host && self.port == other.port
    }

    /// Whether a `Host` header or an origin that was written in full names this address. Its port is the caller's affair: a proxy
    /// may leave it out.
    pub(crate) fn is_named_by(&self, authority: &Authority) -> bool {
        *authority.host() == self.host
    }
}

/// As it was entered, without what means nothing.
impl fmt::Display for PublicAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.has_path { AGENT_PATH } else { "" };
        write!(formatter, "{}{path}", self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, PublicAddressFault> {
        PublicAddress::parse(text).map(|address| address.to_string())
    }

    #[test]
    fn r008_a_public_address_is_read_as_people_write_it() {
        for (written, address) in [
            ("https://box.tail.example", "https://box.tail.example"),
            (" https://Box.Tail.Example/ ", "https://box.tail.example"),
            ("https://box.example:443/mcp/", "https://box.example/mcp"),
            (
                "https://box.example:8443/mcp",
                "https://box.example:8443/mcp",
            ),
            ("https://box.example.", "https://box.example"),
            (
                "https://b\u{fc}cher.example",
                "https://xn--bcher-kva.example",
            ),
            ("https://203.0.113.7", "https://203.0.113.7"),
            ("https://[2001:db8::7]:10000", "https://[2001:db8::7]:10000"),
        ] {
            assert_eq!(read(written).as_deref(), Ok(address), "{written}");
        }
    }

    #[test]
    fn r008_what_nobody_elsewhere_could_reach_is_refused_by_name() {
        use PublicAddressFault::*;
        for (written, fault) in [
            ("", NotAnUrl),
            ("box.example", NotAnUrl),
            ("https://", NotAnUrl),
            ("https://*.example", NotAnUrl),
            ("http://box.example", NotHttps),
            ("ftp://box.example", NotHttps),
            ("https://me@box.example", HasMore),
            ("https://me:secret@box.example", HasMore),
            ("https://box.example?x", HasMore),
            ("https://box.example/mcp#x", HasMore),
            ("https://box.example/agents", OtherPath),
            ("https://box.example/mcp/mcp", OtherPath),
            ("https://localhost", Loopback),
            ("https://127.0.0.1:8788/mcp", Loopback),
            ("https://127.1.2.3", Loopback),
            ("https://[::1]", Loopback),
            ("https://[::ffff:127.0.0.1]", Loopback),
            ("https://0.0.0.0", Loopback),
        ] {
            assert_eq!(read(written), Err(fault), "{written}");
        }
    }

    #[test]
    fn one_address_has_one_origin_one_url_and_every_spelling_of_its_resource() {
        let address = PublicAddress::parse("https://box.example:8443").unwrap();
        assert_eq!(address.origin(), "https://box.example:8443");
        assert_eq!(address.agent_url(), "https://box.example:8443/mcp");
        assert_eq!(
            address.resource_metadata_url(),
            "https://box.example:8443/.well-known/oauth-protected-resource/mcp"
        );
        for (resource, is_ours) in [
            ("https://box.example:8443/mcp", true),
            ("https://box.example:8443/mcp/", true),
            ("https://BOX.example:8443", true),
            ("https://box.example/mcp", false),
            ("https://box.example:8443/other", false),
            ("https://evil.example:8443/mcp", false),
            ("box.example:8443", false),
        ] {
            assert_eq!(address.is_resource(resource), is_ours, "{resource}");
        }
    }
}
