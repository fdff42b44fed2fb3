//! The sector check, which comes before all else: the first word of a target or an action names the sector.

use serde_json::Value;
use sextant_actors::domain::{Sector, SectorSet, Tool};

/// Characters of an unknown word that the audit log repeats.
const WORD_CHARS_MAX: usize = 24;

/// The sector that a call names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedSector {
    /// The call names no sector.
    None,
    /// It names one of the six.
    Sector(Sector),
    /// It names something else; as the audit log may repeat it.
    Unknown(String),
}

/// The sector that an allowed call names; `None` if it names none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AdmittedTarget(pub(super) Option<Sector>);

/// A call that the grant does not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Denied {
    pub(super) sector: Option<Sector>,
    /// The audit row's `deny_reason`, which is also the reply.
    pub(super) reason: String,
}

/// The sector named by the first word of the target or action of a call of `tool`.
pub(super) fn named_sector(tool: Tool, arguments: &Value) -> NamedSector {
    let argument = match tool {
        Tool::DescribeContext => return NamedSector::None,
        Tool::InvokeAction => "action",
        _ => "target",
    };
    let Some(text) = arguments.get(argument).and_then(Value::as_str) else {
        return NamedSector::None;
    };
    let word = text.split('.').next().unwrap_or_default();
    word.parse().map_or_else(
        |_| NamedSector::Unknown(loggable(word)),
        NamedSector::Sector,
    )
}

/// Allows the granted sectors. A call that names no sector is allowed; its tool then reads granted sectors only.
pub(super) fn admit(named: NamedSector, granted: SectorSet) -> Result<AdmittedTarget, Denied> {
    match named {
        NamedSector::None => Ok(AdmittedTarget(None)),
        NamedSector::Sector(sector) if granted.contains(sector) => Ok(AdmittedTarget(Some(sector))),
        NamedSector::Sector(sector) => Err(denied(Some(sector), sector.name())),
        NamedSector::Unknown(word) => Err(denied(None, &word)),
    }
}

/// The granted sectors, or the one that was named (which is granted, or the call would have been denied).
pub(super) fn sectors(named: Option<Sector>, granted: SectorSet) -> SectorSet {
    named.map_or(granted, |sector| SectorSet::EMPTY.with(sector))
}

fn denied(sector: Option<Sector>, word: &str) -> Denied {
    Denied {
        sector,
        reason: format!("access denied: {word}"),
    }
}

fn loggable(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let fits = (1..=WORD_CHARS_MAX).contains(&word.len()) && word.chars().all(is_plain);
    if fits {
        word.to_owned()
    } else {
        "?".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn denial(target: &str, granted: SectorSet) -> Option<Denied> {
        admit(
            named_sector(Tool::Query, &json!({"target": target})),
            granted,
        )
        .err()
    }

    #[test]
    fn r065_a_sector_that_is_not_granted_is_denied_by_name() {
        let finance = SectorSet::EMPTY.with(Sector::Finance);
        assert_eq!(denial("finance.transactions", finance), None);
        let denied = denial("mail.messages", finance).unwrap();
        assert_eq!(denied.reason, "access denied: mail");
        assert_eq!(denied.sector, Some(Sector::Mail));
    }

    #[test]
    fn r066_a_word_that_is_no_sector_is_refused_never_mapped() {
        for (target, word) in [
            ("finances.transactions", "finances"),
            ("Finance.transactions", "?"),
            (" finance", "?"),
            ("", "?"),
            ("'; DROP TABLE users; --", "?"),
            ("a_very_long_word_that_goes_on.x", "?"),
            ("public.agents", "public"),
        ] {
            let denied = denial(target, SectorSet::ALL).unwrap();
            assert_eq!(
                denied.reason,
                format!("access denied: {word}"),
                "{target:?}"
            );
            assert_eq!(denied.sector, None);
        }
    }

    #[test]
    fn r064_an_empty_grant_is_denied_every_sector() {
        for sector in Sector::ALL {
            assert!(denial(&format!("{sector}.anything"), SectorSet::EMPTY).is_some());
        }
    }

    proptest! {
        #[test]
        fn no_target_leaves_the_granted_sectors(target in "\\PC{0,40}|(finance|mail|home)[.]?[a-z.]{0,10}", stored in any::<u8>()) {
            let granted = Sector::ALL.into_iter().filter(|sector| stored & (1 << *sector as u8) != 0)
                .fold(SectorSet::EMPTY, SectorSet::with);
            if let Ok(AdmittedTarget(sector)) = admit(named_sector(Tool::Query, &json!({"target": target})), granted) {
                prop_assert!(sector.is_some_and(|sector| granted.contains(sector) && target.starts_with(sector.name())));
            }
        }
    }
}
