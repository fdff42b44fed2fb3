//! Checks the secret of a push against the connections in memory, before the body is read (r081).

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use constant_time_eq::constant_time_eq_32;
use sextant_actors::connections::{ConnectionSnapshot, ConnectionsHandle};
use sextant_actors::domain::{ConnectionState, Digest, KnownConnection};
use uuid::Uuid;

/// The header for devices that cannot set `Authorization` (r080).
const SECRET_HEADER: &str = "X-PCI-Webhook-Secret";
const SCHEME: &str = "bearer ";
/// What is compared against when there is no connection, or none with a secret: the same work, and never a match (r086).
const NO_DIGEST: [u8; 32] = [0; 32];

/// Who pushes, by the secret of the connection that the path names.
#[derive(Debug)]
pub(super) enum Authorization {
    Granted(KnownConnection),
    /// The secret is right, and the connection takes no pushes now.
    Paused(KnownConnection),
    Refused,
}

/// Whether the headers carry the secret of the connection that the path names. All but [`Authorization::Granted`] must look the same
/// to the caller (r083).
pub(super) fn authorize(
    connections: &ConnectionsHandle,
    path: &str,
    headers: &HeaderMap,
) -> Authorization {
    check(&connections.snapshot(), path, headers, &mut RealWork)
}

/// The work of a check: each step is done exactly once, so that its time does not reveal which connections exist (r086).
trait CheckWork {
    /// The digest of what was presented.
    fn digest(&mut self, presented: &str) -> Digest;

    /// Whether the two are the same, in a time that does not depend on where they differ (r082).
    fn is_same(&mut self, presented: &[u8; 32], expected: &[u8; 32]) -> bool;
}

struct RealWork;

impl CheckWork for RealWork {
    fn digest(&mut self, presented: &str) -> Digest {
        Digest::of(presented)
    }

    fn is_same(&mut self, presented: &[u8; 32], expected: &[u8; 32]) -> bool {
        constant_time_eq_32(presented, expected)
    }
}

fn check(
    known: &ConnectionSnapshot,
    path: &str,
    headers: &HeaderMap,
    work: &mut impl CheckWork,
) -> Authorization {
    let named = path.parse::<Uuid>().ok().and_then(|id| known.get(&id));
    let secret = named.and_then(|connection| connection.secret);
    let expected = secret.as_ref().map_or(&NO_DIGEST, Digest::as_bytes);
    let digest = work.digest(presented(headers));
    let is_same = work.is_same(digest.as_bytes(), expected);
    match named.filter(|_| is_same && secret.is_some()) {
        None => Authorization::Refused,
        Some(known) if known.state == ConnectionState::Active => {
            Authorization::Granted(known.clone())
        }
        Some(known) => Authorization::Paused(known.clone()),
    }
}

fn presented(headers: &HeaderMap) -> &str {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = text(AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, rest) = value.split_at_checked(SCHEME.len())?;
        scheme.eq_ignore_ascii_case(SCHEME).then(|| rest.trim())
    });
    bearer.or_else(|| text(SECRET_HEADER)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};
    use sextant_actors::domain::{OPERATOR, Sector};

    use super::*;

    const SECRET: &str = "sxi_right";
    const KNOWN: Uuid = Uuid::from_u128(1);
    const PAUSED: Uuid = Uuid::from_u128(2);
    const WITHOUT_SECRET: Uuid = Uuid::from_u128(3);

    /// Counts the work, and can replace the result of the comparison.
    #[derive(Default)]
    struct CountedWork {
        digested: Vec<String>,
        compared: Vec<[[u8; 32]; 2]>,
        /// The result of every comparison; `None` compares.
        says: Option<bool>,
    }

    impl CheckWork for CountedWork {
        fn digest(&mut self, presented: &str) -> Digest {
            self.digested.push(presented.to_owned());
            RealWork.digest(presented)
        }

        fn is_same(&mut self, presented: &[u8; 32], expected: &[u8; 32]) -> bool {
            self.compared.push([*presented, *expected]);
            self.says
                .unwrap_or_else(|| RealWork.is_same(presented, expected))
        }
    }

    fn known() -> ConnectionSnapshot {
        let secret = Some(Digest::of(SECRET));
        let rows = [
            (KNOWN, ConnectionState::Active, secret),
            (PAUSED, ConnectionState::Paused, secret),
            (WITHOUT_SECRET, ConnectionState::Active, None),
        ];
        let connection = |(id, state, secret)| KnownConnection {
            id,
            user: OPERATOR,
            provider: "push".to_owned(),
            label: "bank".to_owned(),
            sector: Sector::Finance,
            target: "finance.transactions".to_owned(),
            state,
            secret,
            health: "ok".to_owned(),
            problem: None,
            last_success_at: None,
            interval: None,
            expires_at: None,
            is_sample: false,
        };
        rows.map(connection).into_iter().collect()
    }

    fn sent(name: &'static str, value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
        headers
    }

    /// The connection that the check accepts, and the work it did.
    fn checked(
        path: &str,
        secret: &'static str,
        says: Option<bool>,
    ) -> (Option<Uuid>, CountedWork) {
        let headers = sent("x-pci-webhook-secret", secret);
        let mut work = CountedWork {
            says,
            ..CountedWork::default()
        };
        let granted = match check(&known(), path, &headers, &mut work) {
            Authorization::Granted(connection) => Some(connection.id),
            Authorization::Paused(_) | Authorization::Refused => None,
        };
        (granted, work)
    }

    fn causes() -> [(String, &'static str); 6] {
        [
            (KNOWN.to_string(), "sxi_wrong"),
            (KNOWN.to_string(), ""),
            (Uuid::from_u128(9).to_string(), SECRET),
            (PAUSED.to_string(), SECRET),
            (WITHOUT_SECRET.to_string(), SECRET),
            ("no-id".to_owned(), SECRET),
        ]
    }

    #[test]
    fn r086_each_check_is_one_digest_and_one_comparison_whatever_it_comes_to() {
        let right = [(KNOWN.to_string(), SECRET)];
        for (path, secret) in causes().into_iter().chain(right) {
            let (found, work) = checked(&path, secret, None);
            let is_known = path == KNOWN.to_string();
            let is_equal = work.compared[0][0] == work.compared[0][1];
            assert_eq!(found, (is_equal && is_known).then_some(KNOWN));
            assert_eq!(work.digested, [secret], "{path}");
            assert_eq!(work.compared.len(), 1, "{path}");
            assert_eq!(
                work.compared[0][0],
                *Digest::of(secret).as_bytes(),
                "{path}"
            );
        }
    }

    #[test]
    fn r082_nothing_but_that_comparison_lets_a_device_in() {
        for (path, secret) in causes() {
            assert_eq!(checked(&path, secret, None).0, None, "{path} {secret}");
        }
        let path = KNOWN.to_string();
        assert_eq!(checked(&path, SECRET, None).0, Some(KNOWN));
        assert_eq!(checked(&path, SECRET, Some(false)).0, None);
        assert_eq!(checked(&path, "sxi_wrong", Some(true)).0, Some(KNOWN));
        // And it alone does not: what has no secret, or takes no pushes, is nobody's.
        for (path, secret) in &causes()[2..] {
            assert_eq!(checked(path, secret, Some(true)).0, None, "{path}");
        }
    }

    #[test]
    fn r083_a_paused_connection_is_told_apart_by_its_own_secret_alone() {
        let is_paused = |path: Uuid, secret| {
            let headers = sent("x-pci-webhook-secret", secret);
            let decided = check(&known(), &path.to_string(), &headers, &mut RealWork);
            matches!(decided, Authorization::Paused(connection) if connection.id == PAUSED)
        };
        assert!(is_paused(PAUSED, SECRET));
        assert!(!is_paused(PAUSED, "sxi_wrong") && !is_paused(PAUSED, ""));
        assert!(!is_paused(KNOWN, SECRET) && !is_paused(WITHOUT_SECRET, SECRET));
    }

    #[test]
    fn r080_the_secret_comes_as_bearer_or_in_its_own_header() {
        for (name, value, expected) in [
            ("authorization", "Bearer abc", "abc"),
            ("authorization", "bearer  abc ", "abc"),
            ("x-pci-webhook-secret", "abc", "abc"),
            ("authorization", "Basic abc", ""),
            ("authorization", "Bear", ""),
        ] {
            assert_eq!(presented(&sent(name, value)), expected, "{name}: {value}");
        }
    }
}
