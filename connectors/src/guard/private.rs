//! Which addresses are of the operator's own network, to which a connection without TLS may lead, and which are anybody's.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Loopback, RFC 1918, link-local (RFC 3927, RFC 4291), unique local (RFC 4193), or the shared space that overlay networks use
/// (RFC 6598).
pub(super) fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

/// Whether it is an address of an overlay network: the shared space (RFC 6598), or what the overlays of its names take of the unique
/// local addresses.
pub(super) fn is_overlay(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_shared_v4(address),
        IpAddr::V6(address) => matches!(address.segments(), [0xfd7a, 0x115c, 0xa1e0, ..]),
    }
}

/// Whether anybody may connect to it: an address that is routed between networks (RFC 6890), and no multicast one.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    // "This network" (RFC 791), IETF assignments (RFC 6890), benchmarks (RFC 2544), and what is reserved (RFC 1112).
    let is_special = first == 0
        || (first, second, third) == (192, 0, 0)
        || (first == 198 && second & 0b1111_1110 == 18)
        || first >= 240;
    !(is_special || is_private_v4(address) || address.is_multicast() || address.is_documentation())
}

/// Global unicast (RFC 4291 §2.4), without what stands there for other things: Teredo, documentation, 6to4 of an IPv4 address that is
/// not public. The prefix of NAT64 (RFC 6052) stands for an IPv4 address as well.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, fourth, _, _, seventh, eighth] = address.segments();
    let v4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match (first, second) {
        (0x64, 0xff9b) => (third, fourth) == (0, 0) && is_public_v4(v4(seventh, eighth)),
        (0x2001, 0 | 0xdb8) | (0x3fff, 0..=0x0fff) => false,
        (0x2002, _) => is_public_v4(v4(second, third)),
        _ => first & 0xe000 == 0x2000,
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || is_shared_v4(address)
}

fn is_shared_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    first == 100 && second & 0b1100_0000 == 64
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

    #[test]
    fn only_what_is_routed_between_networks_is_public() {
        let is = |text: &str| is_public(text.parse().unwrap());
        for public in [
            "8.8.8.8",
            "93.184.216.34",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
        ] {
            assert!(is(public), "{public}");
        }
        for other in [
            "0.0.0.0",
            "127.0.0.1",
            "10.0.0.1",
            "100.100.100.100",
            "169.254.169.254",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "203.0.113.7",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::808:808",
            "2002:a00:1::1",
            "2001:0:1::1",
            "2001:db8::1",
            "3fff::1",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
