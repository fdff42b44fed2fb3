//! The address of a home, as its operator types it.

use reqwest::Url;

use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{AddressRule, JudgedAddress, Plaintext};

/// Where a home answers: `http` only inside the operator's own network, which the guard judges on the address connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeAddress(JudgedAddress);

impl HomeAddress {
    /// Reads `http://homeassistant.local:8123`, or the same with `https`, `ws`, `wss`, or a path before the API's own.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`] if it is no address, of another scheme, or holds a user or password.
    pub fn parse(typed: &str) -> Result<Self, SourceFailure> {
        let no_address = |_| {
            let message = "the address is none: it looks like http://homeassistant.local:8123";
            SourceFailure::new(FailureKind::ForbiddenAddress, message)
        };
        let mut url = Url::parse(&as_http(typed.trim())).map_err(no_address)?;
        url.set_query(None);
        url.set_fragment(None);
        let rule = AddressRule::of_typed(&url, Plaintext::ToPrivateAddresses)?;
        let folder = url.path().trim_end_matches('/');
        let path = format!("{folder}/api/websocket");
        url.set_path(&path);
        rule.judge(&url).map(Self)
    }

    /// What is connected to.
    pub(super) const fn destination(&self) -> &JudgedAddress {
        &self.0
    }

    /// The address as a WebSocket has it.
    pub(super) fn web_socket(&self) -> String {
        let address = self.0.url().as_str();
        match address.strip_prefix("http") {
            Some(rest) => format!("ws{rest}"),
            None => address.to_owned(),
        }
    }
}

fn as_http(typed: &str) -> String {
    match typed.get(..2) {
        Some(scheme) if scheme.eq_ignore_ascii_case("ws") => {
            format!("http{}", typed.get(2..).unwrap_or_default())
        }
        _ => typed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_type_it_leads_to_the_same_socket() {
        for (typed, led_to) in [
            (
                "http://home.local:8123",
                "ws://home.local:8123/api/websocket",
            ),
            (
                " ws://home.local:8123/ ",
                "ws://home.local:8123/api/websocket",
            ),
            ("https://home.example", "wss://home.example/api/websocket"),
            (
                "WSS://home.example/ha/?a#b",
                "wss://home.example/ha/api/websocket",
            ),
            ("http://[fd00::1]:8123", "ws://[fd00::1]:8123/api/websocket"),
        ] {
            let address = HomeAddress::parse(typed).unwrap();
            assert_eq!(address.web_socket(), led_to, "{typed}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_home_is_refused() {
        for typed in [
            "",
            "home",
            "ftp://home/",
            "http://op:s3cret@home.local/",
            "wsx://home/",
        ] {
            let failure = HomeAddress::parse(typed).unwrap_err();
            assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{typed}");
            assert!(!failure.message.contains("s3cret"));
        }
    }
}
