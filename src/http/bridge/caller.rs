//! Whose request it is, for the count of requests (r103): the address that connected, or the one for which a proxy speaks that is believed.

use std::net::IpAddr;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;

use crate::config::Network;

/// Where a proxy tells for whom it speaks: the addresses that a request passed, the last one added by the last proxy.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The proxies that are believed (`MCP_TRUSTED_PROXIES`).
#[derive(Clone)]
pub(crate) struct TrustedProxies(Arc<[Network]>);

impl TrustedProxies {
    /// These; with none, no two callers can be told apart.
    pub(crate) fn new(networks: &[Network]) -> Self {
        Self(networks.into())
    }

    /// The caller; `None` for all who cannot be told apart.
    pub(super) fn caller(&self, request: &HttpRequest) -> Option<IpAddr> {
        let peer = request.peer_addr().map(|address| address.ip());
        self.behind(peer?, request.headers())
    }

    fn behind(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        if self.0.is_empty() {
            return None;
        }
        // From the connection backwards: each proxy that is believed says who asked it.
        let mut caller = peer.to_canonical();
        for said in forwarded(headers).into_iter().rev() {
            if !self.believes(caller) {
                break;
            }
            match said {
                Some(address) => caller = address,
                None => break,
            }
        }
        Some(caller)
    }

    fn believes(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

/// The addresses in the order in which they were passed; `None` for what is none.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let values = headers.get_all(FORWARDED_FOR);
    let texts = values.filter_map(|value| value.to_str().ok());
    let parts = texts.flat_map(|text| text.split(','));
    parts
        .map(|part| {
            part.trim()
                .parse()
                .ok()
                .map(|address: IpAddr| address.to_canonical())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    fn caller(proxies: &[&str], peer: &str, forwarded: &[&'static str]) -> Option<String> {
        let networks = proxies.iter().map(|text| Network::parse(text).unwrap());
        let proxies = TrustedProxies(networks.collect());
        let pairs: Vec<_> = forwarded
            .iter()
            .map(|text| (FORWARDED_FOR, *text))
            .collect();
        let caller = proxies.behind(peer.parse().unwrap(), &headers(&pairs));
        caller.map(|address| address.to_string())
    }

    #[test]
    fn r103_without_trusted_proxies_all_callers_are_one() {
        assert_eq!(caller(&[], "127.0.0.1", &["203.0.113.9"]), None);
        assert_eq!(caller(&[], "203.0.113.9", &[]), None);
    }

    #[test]
    fn r103_a_trusted_proxy_tells_for_whom_it_speaks_and_nobody_else_does() {
        let own = ["127.0.0.1", "10.0.0.0/8"];
        for (peer, forwarded, expected) in [
            ("127.0.0.1", &["203.0.113.9"][..], "203.0.113.9"),
            ("::ffff:127.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            ("203.0.113.1", &["198.51.100.7"], "203.0.113.1"),
            ("127.0.0.1", &["198.51.100.7, 203.0.113.9"], "203.0.113.9"),
            ("127.0.0.1", &["203.0.113.9, 10.1.2.3"], "203.0.113.9"),
            ("127.0.0.1", &["203.0.113.9", "10.1.2.3"], "203.0.113.9"),
            ("127.0.0.1", &["10.1.1.1, 10.1.2.3"], "10.1.1.1"),
            ("127.0.0.1", &["203.0.113.9, garbage"], "127.0.0.1"),
            ("127.0.0.1", &[], "127.0.0.1"),
        ] {
            let told = caller(&own, peer, forwarded);
            assert_eq!(told.as_deref(), Some(expected), "{peer} {forwarded:?}");
        }
    }
}
