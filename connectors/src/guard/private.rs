//! Which addresses are of the operator's own network: what a connection without TLS may lead to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Loopback, RFC 1918, link-local (RFC 3927, RFC 4291), unique local (RFC 4193), or the shared space that overlay networks use
/// (RFC 6598).
pub(super) fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && second & 0b1100_0000 == 64;
    address.is_loopback() || address.is_private() || address.is_link_local() || is_shared
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_network_is_private() {
        let is = |text: &str| is_private(text.parse().unwrap());
        for own in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.9.9",
            "192.168.1.2",
            "169.254.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "::1",
            "fd00::1",
            "fc00::1",
            "fe80::1",
            "::ffff:192.168.1.2",
        ] {
            assert!(is(own), "{own}");
        }
        for other in [
            "0.0.0.0",
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "100.63.0.1",
            "192.169.0.1",
            "::",
            "2001:db8::1",
            "::ffff:8.8.8.8",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
