//! A network of proxies, as it is written in a setting.

use std::net::IpAddr;

/// A network: all addresses that agree with `address` in their first `prefix` bits. A single address is a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    /// Reads `10.0.0.1`, `10.0.0.0/8` or `fd00::/8` (RFC 4632); `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let prefix = prefix.map_or(Ok(width(address)), str::parse).ok()?;
        (prefix <= width(address)).then_some(Self { address, prefix })
    }

    /// Whether `address` lies in the network; an IPv4 address written as IPv6 counts as the IPv4 one.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let shift = width(self.address) - self.prefix;
        width(address) == width(self.address) && start(address, shift) == start(self.address, shift)
    }
}

fn width(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The bits of `address` without its last `shift` ones.
fn start(address: IpAddr, shift: u32) -> u128 {
    let bits = match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    };
    bits.checked_shr(shift).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_what_agrees_with_its_first_bits() {
        for (network, address, holds) in [
            ("10.0.0.0/8", "10.9.8.7", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("::/0", "fd00::1", true),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "10.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
        ] {
            let network = Network::parse(network).unwrap();
            assert_eq!(
                network.contains(address.parse().unwrap()),
                holds,
                "{network:?} {address}"
            );
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in [
            "",
            "10.0.0",
            "10.0.0.0/33",
            "fd00::/129",
            "10.0.0.0/-1",
            "host.example",
        ] {
            assert_eq!(Network::parse(text), None, "{text}");
        }
    }
}
