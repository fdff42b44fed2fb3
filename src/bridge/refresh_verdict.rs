//! What becomes of a sign-in whose refresh token is presented: pure.

use chrono::{DateTime, Utc};
use sextant_actors::domain::Digest;

use super::limits::{IDLE_MAX, REUSE_WINDOW};
use crate::store::bridge::rotation::StoredBridgeSignIn;

/// What a presented refresh token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefreshVerdict {
    /// The present one: it is exchanged.
    Rotate,
    /// The one before, within the window: the same pair is given once more, from this seed.
    Repeat([u8; 32]),
    /// One that was used long before: somebody has what another has, and nobody knows which of them is the client (RFC 9700 §4.14.2).
    Stolen,
    /// Another client's, or of a sign-in that was not used for too long.
    Refused,
}

/// Judges a refresh token that names this sign-in.
pub(super) fn judge(
    stored: &StoredBridgeSignIn,
    (presented, client_id): (&Digest, &str),
    now: DateTime<Utc>,
) -> RefreshVerdict {
    if stored.client_id != client_id || now - stored.used_at > IDLE_MAX {
        return RefreshVerdict::Refused;
    }
    if stored.refresh == *presented {
        return RefreshVerdict::Rotate;
    }
    match stored.rotation {
        Some(last) if last.spent == *presented && now - last.at <= REUSE_WINDOW => {
            RefreshVerdict::Repeat(last.seed)
        }
        _ => RefreshVerdict::Stolen,
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use sextant_actors::grants::IssuedAccess;
    use uuid::Uuid;

    use super::*;
    use crate::store::bridge::rotation::StoredRotation;

    fn stored() -> StoredBridgeSignIn {
        let at = DateTime::UNIX_EPOCH;
        StoredBridgeSignIn {
            client_id: "sxc_1".to_owned(),
            used_at: at,
            access: IssuedAccess {
                token: Digest::of("access"),
                key: Digest::of("key"),
                sign_in: Uuid::from_u128(1),
                expires_at: at,
            },
            refresh: Digest::of("present"),
            rotation: Some(StoredRotation {
                spent: Digest::of("before"),
                seed: [7; 32],
                at,
            }),
        }
    }

    #[test]
    fn the_present_one_rotates_the_one_before_repeats_and_any_older_one_is_stolen() {
        let at = DateTime::UNIX_EPOCH;
        let judged = |token: &str, now| judge(&stored(), (&Digest::of(token), "sxc_1"), now);
        assert_eq!(judged("present", at), RefreshVerdict::Rotate);
        assert_eq!(
            judged("before", at + REUSE_WINDOW),
            RefreshVerdict::Repeat([7; 32])
        );
        let late = at + REUSE_WINDOW + TimeDelta::seconds(1);
        assert_eq!(judged("before", late), RefreshVerdict::Stolen);
        assert_eq!(judged("older", at), RefreshVerdict::Stolen);
        let first = StoredBridgeSignIn {
            rotation: None,
            ..stored()
        };
        let forged = judge(&first, (&Digest::of("forged"), "sxc_1"), at);
        assert_eq!(forged, RefreshVerdict::Stolen);
    }

    #[test]
    fn another_clients_and_one_that_was_not_used_for_months_is_refused() {
        let at = DateTime::UNIX_EPOCH;
        let present = Digest::of("present");
        let other = judge(&stored(), (&present, "sxc_2"), at);
        assert_eq!(other, RefreshVerdict::Refused);
        let idle = at + IDLE_MAX + TimeDelta::seconds(1);
        assert_eq!(
            judge(&stored(), (&present, "sxc_1"), idle),
            RefreshVerdict::Refused
        );
    }
}
