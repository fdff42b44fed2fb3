//! What an edit of a grant does to its row. Pure.

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Grant};
use sextant_actors::ports::{GrantApplied, GrantChange};

/// What an edit does to the row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GrantEdit {
    Put(Grant),
    Remove,
    Refuse(GrantApplied),
}

/// What `change` does to the grant that is stored under the name, if there is one. `now` is the time of the change.
pub(super) fn decide(
    stored: Option<Grant>,
    agent: AgentName,
    change: GrantChange,
    now: DateTime<Utc>,
) -> GrantEdit {
    match (stored, change) {
        (
            _,
            GrantChange::Create {
                key,
                sectors,
                expires_at,
            },
        ) => GrantEdit::Put(Grant {
            agent,
            key_digest: key,
            sectors,
            created_at: now,
            revoked_at: None,
            expires_at,
            // The statement that writes the row counts it.
            edition: 0,
        }),
        (None, _) => GrantEdit::Refuse(GrantApplied::NotFound),
        (Some(_), GrantChange::Remove) => GrantEdit::Remove,
        (Some(grant), GrantChange::Rotate { .. }) if has_passed(&grant, now) => {
            GrantEdit::Refuse(GrantApplied::DeadlinePassed)
        }
        (Some(grant), change) => GrantEdit::Put(amend(grant, change, now)),
    }
}

fn has_passed(grant: &Grant, now: DateTime<Utc>) -> bool {
    grant.expires_at.is_some_and(|deadline| deadline <= now)
}

fn amend(mut grant: Grant, change: GrantChange, now: DateTime<Utc>) -> Grant {
    match change {
        GrantChange::Rotate { key } => {
            grant.key_digest = key;
            grant.created_at = now;
            grant.revoked_at = None;
        }
        GrantChange::Amend {
            sectors,
            expires_at,
        } => {
            grant.sectors = sectors.unwrap_or(grant.sectors);
            grant.expires_at = expires_at.unwrap_or(grant.expires_at);
        }
        GrantChange::Revoke => grant.revoked_at = grant.revoked_at.or(Some(now)),
        GrantChange::Create { .. } | GrantChange::Remove => {}
    }
    grant
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use sextant_actors::domain::Digest;

    use super::*;

    fn agent() -> AgentName {
        "laptop".parse().unwrap()
    }

    fn stored(expires_at: Option<DateTime<Utc>>) -> Grant {
        Grant {
            agent: agent(),
            key_digest: Digest::of("old"),
            sectors: vec!["mail".to_owned()],
            created_at: DateTime::UNIX_EPOCH,
            revoked_at: Some(DateTime::UNIX_EPOCH),
            expires_at,
            edition: 0,
        }
    }

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(2)
    }

    fn put(edit: GrantEdit) -> Grant {
        match edit {
            GrantEdit::Put(grant) => grant,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn r060_a_second_key_under_a_name_replaces_the_first_and_its_revocation() {
        let change = GrantChange::Create {
            key: Digest::of("new"),
            sectors: Vec::new(),
            expires_at: None,
        };
        let grant = put(decide(Some(stored(None)), agent(), change, now()));
        assert_eq!(grant.key_digest, Digest::of("new"));
        assert_eq!((grant.revoked_at, grant.sectors.len()), (None, 0));
    }

    #[test]
    fn a_rotation_keeps_sectors_and_deadline_and_clears_a_revocation() {
        let deadline = Some(now() + TimeDelta::days(1));
        let change = GrantChange::Rotate {
            key: Digest::of("new"),
        };
        let grant = put(decide(Some(stored(deadline)), agent(), change, now()));
        assert_eq!((grant.revoked_at, grant.expires_at), (None, deadline));
        assert_eq!(grant.sectors, ["mail"]);
    }

    #[test]
    fn a_rotation_after_the_deadline_is_refused() {
        let change = GrantChange::Rotate {
            key: Digest::of("new"),
        };
        let step = decide(Some(stored(Some(now()))), agent(), change, now());
        assert_eq!(step, GrantEdit::Refuse(GrantApplied::DeadlinePassed));
    }

    #[test]
    fn a_change_to_no_grant_is_not_found() {
        for change in [
            GrantChange::Revoke,
            GrantChange::Remove,
            GrantChange::Rotate {
                key: Digest::of("x"),
            },
        ] {
            let step = decide(None, agent(), change, now());
            assert_eq!(step, GrantEdit::Refuse(GrantApplied::NotFound));
        }
    }

    #[test]
    fn a_second_revocation_keeps_the_first_stamp() {
        let grant = put(decide(
            Some(stored(None)),
            agent(),
            GrantChange::Revoke,
            now(),
        ));
        assert_eq!(grant.revoked_at, Some(DateTime::UNIX_EPOCH));
    }
}
