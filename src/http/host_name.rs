//! The hosts by which a browser may reach a port that asks for no login: which they are, and how a `Host` or an `Origin` is read.
//!
//! Pure: knows headers as text, nothing of requests.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a request says it is going, or where a page says it comes from: a host without case and brackets, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    host: Host,
    port: Option<u16>,
}

/// A host: an address in its one form, or a name in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    Address(IpAddr),
    Name(String),
}

impl Host {
    /// Reads a bare host: a name, an IPv4 address, an IPv6 address with or without brackets.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(inner) = text.strip_prefix('[') {
            let address = inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?;
            return Some(Self::Address(IpAddr::V6(address)));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Some(Self::Address(address));
        }
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        (!text.is_empty() && text.bytes().all(allowed))
            .then(|| Self::Name(text.to_ascii_lowercase()))
    }

    /// Whether it is one of `localhost`, `127.0.0.1`, `::1` (spec §5).
    pub fn is_loopback(&self) -> bool {
        match self {
            Host::Address(IpAddr::V4(address)) => *address == Ipv4Addr::LOCALHOST,
            Host::Address(IpAddr::V6(address)) => *address == Ipv6Addr::LOCALHOST,
            Host::Name(name) => name == "localhost",
        }
    }
}

impl Authority {
    /// Reads the value of a `Host` header.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = split_port(text);
        Some(Self {
            host: Host::parse(host)?,
            port: parse_port(port)?,
        })
    }

    /// Reads the value of an `Origin` header; `null` and anything but `http` and `https` is no place of ours.
    pub fn of_origin(text: &str) -> Option<Self> {
        text.strip_prefix("http://")
            .or_else(|| text.strip_prefix("https://"))
            .and_then(Self::parse)
    }

    /// The host, without the port.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// Whether both may be one origin: the ports differ only between hosts of different names, as behind a proxy.
    pub fn could_be_one_origin(&self, other: &Self) -> bool {
        let one_host = self.host == other.host;
        let both_loopback = self.host.is_loopback() && other.host.is_loopback();
        !(one_host || both_loopback) || self.port == other.port
    }
}

/// Splits `host:port`; an IPv6 address without brackets has no port.
fn split_port(text: &str) -> (&str, Option<&str>) {
    let bare_ipv6 = !text.starts_with('[') && text.matches(':').count() > 1;
    match text.rsplit_once(':') {
        Some((host, port)) if !bare_ipv6 && !port.contains(']') => (host, Some(port)),
        _ => (text, None),
    }
}

/// `None` when it is no port; the ports that browsers leave out count as left out.
fn parse_port(port: Option<&str>) -> Option<Option<u16>> {
    match port {
        None | Some("" | "80" | "443") => Some(None),
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok().map(Some)
        }
        Some(_) => None,
    }
}

/// The hosts that are accepted: this computer's own names, and what the operator added (`REST_ALLOWED_HOSTS`).
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts(Vec<Host>);

/// An entry of `REST_ALLOWED_HOSTS` that is no host.
#[derive(Debug, PartialEq, Eq)]
pub struct InvalidHost(pub String);

impl fmt::Display for InvalidHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "`{}` is no host; give names or addresses without scheme and path",
            self.0
        )
    }
}

impl std::error::Error for InvalidHost {}

impl AllowedHosts {
    /// Reads the added hosts; a port is ignored, since ports are not compared.
    ///
    /// # Errors
    /// The first entry that is no host.
    pub fn parse<'text>(added: impl IntoIterator<Item = &'text str>) -> Result<Self, InvalidHost> {
        added
            .into_iter()
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .map(|entry| {
                Authority::parse(entry)
                    .map(|authority| authority.host)
                    .ok_or_else(|| InvalidHost(entry.to_owned()))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether `host` is accepted.
    pub fn contains(&self, host: &Host) -> bool {
        host.is_loopback() || self.0.contains(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(allowed: &AllowedHosts, header: &str) -> bool {
        Authority::parse(header).is_some_and(|authority| allowed.contains(authority.host()))
    }

    #[test]
    fn r100_a_host_is_accepted_without_port_brackets_and_case() {
        let allowed =
            AllowedHosts::parse(["Box.Example", " [fd00::1]:9000", "", "10.0.0.7"]).unwrap();
        for header in [
            "localhost",
            "LocalHost:8787",
            "127.0.0.1:1",
            "::1",
            "[::1]",
            "[::1]:8787",
            "[0:0:0:0:0:0:0:1]:8787",
            "localhost:",
            "box.EXAMPLE:443",
            "[FD00::1]",
            "10.0.0.7:8787",
        ] {
            assert!(accepted(&allowed, header), "{header}");
        }
    }

    #[test]
    fn r100_any_other_host_is_refused() {
        let allowed = AllowedHosts::parse(["box.example"]).unwrap();
        for header in [
            "",
            "evil.test",
            "localhost.evil.test",
            "localhost.",
            "127.0.0.1.evil.test",
            "127.0.0.2",
            "evil.test:80@localhost",
            "localhost:80x",
            "localhost:99999",
            "localhost@evil.test",
            "localhost/",
            "[localhost]",
            "[::1",
            "[::1]x",
            "::1:8787:",
            "box.example, evil.test",
            "http://localhost",
        ] {
            assert!(!accepted(&allowed, header), "{header}");
        }
    }

    #[test]
    fn r100_an_added_host_that_is_none_is_named() {
        assert_eq!(
            AllowedHosts::parse(["https://box.example/"]).unwrap_err(),
            InvalidHost("https://box.example/".to_owned())
        );
    }
}
