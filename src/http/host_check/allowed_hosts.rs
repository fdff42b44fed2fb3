//! Which hosts a request may name, in its `Host` header and in a target in absolute form.

use actix_web::http::Uri;
use actix_web::http::header::HeaderMap;

use crate::host::{Authority, Host};
use crate::http::headers::only_host;
use crate::http::problem::{Code, Problem};

/// The hosts by which a browser may reach the Console port: this computer's own names, and what the operator added
/// (`REST_ALLOWED_HOSTS`).
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts(Vec<Host>);

impl AllowedHosts {
    /// These, besides this computer's own.
    pub const fn new(added: Vec<Host>) -> Self {
        Self(added)
    }

    /// Those that were added, as they are written in an authority.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// Whether `host` is accepted.
    pub fn contains(&self, host: &Host) -> bool {
        host.is_loopback() || self.0.contains(host)
    }
}

/// The authority of the `Host` header.
///
/// # Errors
/// When there is not exactly one, or it is not allowed.
pub(super) fn accepted_host(
    headers: &HeaderMap,
    allowed: &AllowedHosts,
) -> Result<Authority, Problem> {
    only_host(headers)
        .and_then(Authority::parse)
        .filter(|authority| allowed.contains(authority.host()))
        .ok_or_else(forbidden_host)
}

/// Checks the host of a target in absolute form, which takes precedence over the `Host` header (RFC 9112 §3.2.2).
///
/// # Errors
/// When the target names a host that is not allowed.
pub(super) fn accepted_target(target: &Uri, allowed: &AllowedHosts) -> Result<(), Problem> {
    let is_accepted = |named: &str| {
        Authority::parse(named).is_some_and(|authority| allowed.contains(authority.host()))
    };
    match target.authority() {
        Some(named) if !is_accepted(named.as_str()) => Err(forbidden_host()),
        _ => Ok(()),
    }
}

fn forbidden_host() -> Problem {
    Problem::new(
        Code::ForbiddenHost,
        "this Host is not accepted; use localhost, 127.0.0.1 or [::1], or add the name to REST_ALLOWED_HOSTS",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    #[test]
    fn r100_a_host_is_accepted_without_port_brackets_and_case() {
        let added = ["Box.Example", "[fd00::1]:9000", "10.0.0.7"];
        let added = added.map(|host| Host::of_setting(host).unwrap());
        let allowed = AllowedHosts::new(added.to_vec());
        for host in [
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
            assert!(
                accepted_host(&headers(&[("host", host)]), &allowed).is_ok(),
                "{host}"
            );
        }
    }

    #[test]
    fn r100_any_other_host_is_refused() {
        let allowed = AllowedHosts::new(vec![Host::parse("box.example").unwrap()]);
        for host in [
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
            assert!(
                accepted_host(&headers(&[("host", host)]), &allowed).is_err(),
                "{host}"
            );
        }
    }

    #[test]
    fn r100_a_target_that_names_a_host_names_an_accepted_one() {
        let allowed = AllowedHosts::new(vec![Host::parse("box.example").unwrap()]);
        for (target, accepted) in [
            ("/api/agents", true),
            ("http://box.example/api/agents", true),
            ("http://localhost:8787/api/agents", true),
            ("http://evil.test/api/agents", false),
            ("http://user@localhost/api/agents", false),
        ] {
            let target: Uri = target.parse().unwrap();
            let judged = accepted_target(&target, &allowed);
            assert_eq!(judged.is_ok(), accepted, "{target}");
        }
    }
}
