//! Which zone the operator lives in: the setting, else `TZ`, else the system's, else UTC.
//!
//! A system zone of UTC is most often the default of a container or a server, so it counts as not set; an operator who lives by UTC
//! sets it with the setting or with `TZ`.

use chrono_tz::{TZ_VARIANTS, Tz};

use super::{Environment, settings};

/// UTC by all its IANA names.
const UTC_NAMES: [&str; 8] = [
    "UTC",
    "Etc/UTC",
    "UCT",
    "Etc/UCT",
    "Universal",
    "Etc/Universal",
    "Zulu",
    "Etc/Zulu",
];

/// The operator's zone, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorZone {
    /// The zone itself.
    pub zone: Tz,
    /// How it was found.
    pub source: ZoneSource,
}

/// How the operator's zone was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneSource {
    /// By the setting `timezone`.
    Setting,
    /// By the variable `TZ`.
    Variable,
    /// It is the system's, which is not UTC.
    System,
    /// Not at all: it is UTC, with a notice to the operator.
    Fallback,
}

impl ZoneSource {
    /// Whether anybody set the zone.
    pub fn is_set(self) -> bool {
        self != Self::Fallback
    }
}

impl OperatorZone {
    /// Decides by the setting's zone, where there is one, and by the environment. A `TZ` that names no IANA zone (a
    /// POSIX rule, a file) is passed over.
    pub(super) fn decide(setting: Option<Tz>, environment: &Environment) -> Self {
        let candidates = [
            (setting, ZoneSource::Setting),
            (
                environment.get("TZ").and_then(of_variable),
                ZoneSource::Variable,
            ),
            (
                environment.system_zone().and_then(of_system),
                ZoneSource::System,
            ),
        ];
        candidates
            .into_iter()
            .find_map(|(zone, source)| {
                Some(Self {
                    zone: zone?,
                    source,
                })
            })
            .unwrap_or(Self {
                zone: Tz::UTC,
                source: ZoneSource::Fallback,
            })
    }
}

/// The zone of an IANA name.
pub(super) fn by_name(name: &str) -> Option<Tz> {
    name.parse().ok()
}

/// The system's zone, unless it is UTC.
fn of_system(name: &str) -> Option<Tz> {
    by_name(name).filter(|zone| !UTC_NAMES.contains(&zone.name()))
}

/// POSIX lets `TZ` begin with a colon before an implementation's own name.
fn of_variable(text: &str) -> Option<Tz> {
    by_name(text.strip_prefix(':').unwrap_or(text))
}

/// The IANA name nearest to one that is none.
pub(super) fn nearest_name(name: &str) -> &'static str {
    settings::nearest(name, TZ_VARIANTS.iter().map(|zone| zone.name())).unwrap_or("UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_then_variable_then_system_then_utc() {
        let both = Environment::of([("TZ", ":Asia/Tokyo")]).in_system_zone("America/Lima");
        let system = Environment::of([("TZ", "CET-1CEST")]).in_system_zone("America/Lima");
        for (setting, environment, zone, source) in [
            (
                Some(Tz::Europe__Zurich),
                &both,
                Tz::Europe__Zurich,
                ZoneSource::Setting,
            ),
            (None, &both, Tz::Asia__Tokyo, ZoneSource::Variable),
            (None, &system, Tz::America__Lima, ZoneSource::System),
            (None, &Environment::default(), Tz::UTC, ZoneSource::Fallback),
        ] {
            assert_eq!(
                OperatorZone::decide(setting, environment),
                OperatorZone { zone, source }
            );
        }
    }

    #[test]
    fn a_system_that_keeps_utc_was_told_of_no_zone_but_utc_can_be_set() {
        for name in UTC_NAMES {
            let system = Environment::default().in_system_zone(name);
            let found = OperatorZone::decide(None, &system);
            assert_eq!(
                (found.zone, found.source),
                (Tz::UTC, ZoneSource::Fallback),
                "{name}"
            );
            assert!(!found.source.is_set());
        }
        let variable = Environment::of([("TZ", "UTC")]).in_system_zone("Etc/UTC");
        assert!(OperatorZone::decide(None, &variable).source.is_set());
        let setting = OperatorZone::decide(Some(Tz::UTC), &Environment::default());
        assert!(setting.source.is_set());
    }

    #[test]
    fn a_misspelt_zone_has_a_nearest_one() {
        assert_eq!(nearest_name("Europe/Zürich"), "Europe/Zurich");
    }
}
