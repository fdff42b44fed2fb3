//! The one parser of hosts: in a setting, a `Host` header, an `Origin`, or a request target in absolute form.
//!
//! Pure: it knows texts, and nothing of requests.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest name that a host can have, in bytes (RFC 1035 §2.3.4).
const NAME_BYTES_MAX: usize = 253;

/// The host and port of a request's target, or of a page's origin. A default port counts as none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authority {
    host: Host,
    port: Option<u16>,
}

/// A host: an IP address, or a name in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// An IPv4 or IPv6 address.
    Address(IpAddr),
    /// A name in lower case: letters, digits, dots, hyphens and underscores.
    Name(String),
}

impl Host {
    /// Parses a host without a port: a name, an IPv4 address, or an IPv6 address with or without brackets.
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

    /// Parses a host of a setting. A port is ignored, and so are dots at the end of a name.
    pub(crate) fn of_setting(text: &str) -> Option<Self> {
        let (host, port) = split_port(text);
        let is_port = port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let host = host.trim_end_matches('.');
        (is_port && host.len() <= NAME_BYTES_MAX)
            .then(|| Self::parse(host))
            .flatten()
    }

    /// Whether it is one of `localhost`, `127.0.0.1`, `::1` (r100).
    pub(crate) fn is_loopback(&self) -> bool {
        match self {
            Host::Address(IpAddr::V4(address)) => *address == Ipv4Addr::LOCALHOST,
            Host::Address(IpAddr::V6(address)) => *address == Ipv6Addr::LOCALHOST,
            Host::Name(name) => name == "localhost",
        }
    }

    /// Whether it is `localhost` or an address of this computer, in whatever notation: all of `127.0.0.0/8`, and the unspecified address.
    pub(crate) fn is_this_computer(&self) -> bool {
        match self {
            Host::Address(address) => {
                let address = address.to_canonical();
                address.is_loopback() || address.is_unspecified()
            }
            Host::Name(name) => name == "localhost",
        }
    }
}

/// As an authority has it: an IPv6 address in brackets.
impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Address(IpAddr::V6(address)) => write!(formatter, "[{address}]"),
            Host::Address(address) => address.fmt(formatter),
            Host::Name(name) => formatter.write_str(name),
        }
    }
}

impl Authority {
    /// Parses the value of a `Host` header.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (host, port) = split_port(text);
        Some(Self {
            host: Host::parse(host)?,
            port: parse_port(port)?,
        })
    }

    /// Parses an authority in canonical form: an IPv6 address in brackets (RFC 3986 §3.2) and as RFC 5952 §4 writes it, and digits
    /// after the colon of a port.
    pub(crate) fn parse_strictly(text: &str) -> Option<Self> {
        let authority = Self::parse(text)?;
        let is_canonical = match authority.host {
            Host::Address(IpAddr::V6(address)) => text.starts_with(&format!("[{address}]")),
            _ => true,
        };
        (is_canonical && !text.ends_with(':')).then_some(authority)
    }

    /// The host, without the port.
    pub(crate) const fn host(&self) -> &Host {
        &self.host
    }

    /// Whether both may be the same origin. Different ports are allowed only between different hosts, as behind a proxy.
    pub(crate) fn could_be_one_origin(&self, other: &Self) -> bool {
        let one_host = self.host == other.host;
        let both_loopback = self.host.is_loopback() && other.host.is_loopback();
        !(one_host || both_loopback) || self.port == other.port
    }
}

/// The authority in the value of an `Origin` header; `None` for `null` and any scheme but `http` and `https`.
pub(crate) fn authority_of_origin(origin: &str) -> Option<&str> {
    origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"))
}

/// Splits `host:port`; an IPv6 address without brackets has no port.
fn split_port(text: &str) -> (&str, Option<&str>) {
    let bare_ipv6 = !text.starts_with('[') && text.matches(':').count() > 1;
    match text.rsplit_once(':') {
        Some((host, port)) if !bare_ipv6 && !port.contains(']') => (host, Some(port)),
        _ => (text, None),
    }
}

/// `None` if it is not a port; `Some(None)` without one, and for 80 and 443, which browsers leave out.
fn parse_port(port: Option<&str>) -> Option<Option<u16>> {
    match port {
        None | Some("" | "80" | "443") => Some(None),
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok().map(Some)
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r100_a_host_is_read_without_port_brackets_and_case() {
        for (header, host) in [
            ("LocalHost:8787", "localhost"),
            ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]:8787", "::1"),
            ("[0:0:0:0:0:0:0:1]:8787", "::1"),
            ("localhost:", "localhost"),
            ("box.EXAMPLE:443", "box.example"),
            ("[FD00::1]", "fd00::1"),
        ] {
            let authority = Authority::parse(header).unwrap();
            assert_eq!(
                Some(authority.host()),
                Host::parse(host).as_ref(),
                "{header}"
            );
        }
    }

    #[test]
    fn r100_a_host_of_a_setting_loses_port_brackets_case_and_last_dot() {
        for (written, host) in [
            ("Sextant.Tail.Example", "sextant.tail.example"),
            ("box.local:8787", "box.local"),
            ("[::1]:8787", "::1"),
            ("FD00::1", "fd00::1"),
            ("box.local.", "box.local"),
        ] {
            assert_eq!(Host::of_setting(written), Host::parse(host), "{written}");
        }
    }

    #[test]
    fn r100_a_host_of_a_setting_that_is_none_is_refused() {
        for text in [
            "",
            "*",
            "*.example",
            "http://box",
            "https://box.example/",
            "box/path",
            "box:port",
            "two words",
            ":8787",
        ] {
            assert_eq!(Host::of_setting(text), None, "{text}");
        }
    }

    #[test]
    fn r501_an_authority_that_is_not_written_in_full_is_refused() {
        for text in [
            "localhost",
            "localhost:1",
            "[::1]",
            "[::1]:8788",
            "127.0.0.1:1",
        ] {
            assert!(Authority::parse_strictly(text).is_some(), "{text}");
        }
        for text in [
            "localhost:",
            "::1",
            "[0:0:0:0:0:0:0:1]",
            "[::1]:",
            "localhost:+80",
        ] {
            assert!(Authority::parse_strictly(text).is_none(), "{text}");
        }
    }
}
