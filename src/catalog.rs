//! The six sectors as data: their tables and fields, read by query, `get_schema`, ingest, erase and export.
//!
//! A table that is added here (and in a migration) needs no other line in any of them. Nothing here knows SQL, HTTP or an
//! actor. No name contains a word that the audit log redacts (r508); a test checks it.

pub(crate) mod example;
mod field;
mod row_id;
mod table;

mod calendar;
mod contacts;
mod finance;
mod health;
mod home;
mod mail;

use sextant_actors::domain::Sector;

pub use field::{Field, Kind, Reference, SplitColumns, Weight};
pub use row_id::row_id;
pub use table::{
    FORMER_UPDATED_AT, Grouped, InferredDay, Months, Namesakes, Origin, Part, Table, UPDATED_AT,
};

/// Every table of every sector, the main table of a sector first.
pub fn tables() -> impl Iterator<Item = &'static Table> {
    Sector::ALL.into_iter().flat_map(sector)
}

/// The tables of one sector, the main one first.
pub fn sector(sector: Sector) -> &'static [Table] {
    match sector {
        Sector::Finance => finance::TABLES,
        Sector::Mail => mail::TABLES,
        Sector::Calendar => calendar::TABLES,
        Sector::Contacts => contacts::TABLES,
        Sector::Health => health::TABLES,
        Sector::Home => home::TABLES,
    }
}

/// The table `name` of `sector`.
pub fn table(sector: Sector, name: &str) -> Option<&'static Table> {
    self::sector(sector).iter().find(|table| table.name == name)
}

/// The table of a qualified name such as `finance.transactions`.
pub fn by_target(target: &str) -> Option<&'static Table> {
    let (first, name) = target.split_once('.')?;
    table(first.parse().ok()?, name)
}

/// The table that a push connection of `sector` writes to when none is named (docs/pushing.md#connections).
pub fn push_default(sector: Sector) -> Option<&'static Table> {
    self::sector(sector)
        .iter()
        .find(|table| table.is_pushable())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDACTED_WORDS: [&str; 6] = ["pass", "secret", "token", "key", "authorization", "cookie"];

    #[test]
    fn r508_no_name_of_the_catalogue_would_be_redacted_from_the_record() {
        for table in tables() {
            for name in table
                .fields
                .iter()
                .map(|field| field.name)
                .chain([table.name])
            {
                assert!(
                    REDACTED_WORDS.iter().all(|word| !name.contains(word)),
                    "{}.{name}",
                    table.name
                );
            }
        }
    }

    #[test]
    fn r001_the_catalogue_holds_tables_of_exactly_the_six_sectors() {
        for sector in Sector::ALL {
            assert!(
                self::sector(sector)
                    .iter()
                    .all(|table| table.sector == sector)
            );
            assert!(push_default(sector).is_some(), "{sector} takes pushes");
        }
        assert!(by_target("finances.transactions").is_none());
    }

    #[test]
    fn every_reference_names_a_table_of_its_own_sector_and_every_part_links_back() {
        for table in tables() {
            for reference in table.fields.iter().filter_map(|field| field.reference) {
                assert!(
                    self::table(table.sector, reference.table).is_some(),
                    "{reference:?}"
                );
            }
            for part in table.parts {
                let linked =
                    self::table(table.sector, part.table).and_then(|child| child.field(part.link));
                assert!(linked.is_some(), "{part:?}");
            }
        }
    }

    #[test]
    fn what_others_wrote_is_no_kind_and_what_meets_is_there() {
        for table in tables() {
            for field in table.fields.iter().filter(|field| field.is_kind) {
                assert!(
                    !field.untrusted && field.kind == Kind::Text,
                    "{}",
                    field.name
                );
            }
            for meets in table.fields.iter().filter_map(|field| field.meets) {
                let (other, field) = meets.split_once('.').unwrap();
                let other = self::table(table.sector, other).unwrap();
                assert!(other.field(field).is_some(), "{meets}");
            }
        }
    }

    #[test]
    fn a_former_name_is_no_name_of_the_same_table() {
        for table in tables() {
            for former in table.fields.iter().filter_map(|field| field.formerly) {
                assert!(table.field(former).is_none(), "{}.{former}", table.name);
            }
            assert!(table.field(UPDATED_AT).is_none(), "{}", table.name);
            assert_eq!(table.renamed("source_updated_at"), Some(UPDATED_AT));
        }
        let holdings = by_target("finance.holdings").unwrap();
        assert_eq!(holdings.renamed("as_of"), Some("day"));
        assert_eq!(holdings.renamed("day"), None);
    }

    #[test]
    fn names_are_unique_and_the_named_fields_exist() {
        for table in tables() {
            let mut names: Vec<_> = table.fields.iter().map(|field| field.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.fields.len(), "{}", table.name);
            let groups = table.one_of.iter().copied().flatten();
            let measures = table.fields.iter().flat_map(|field| field.measured_in);
            let summed = table.months.into_iter();
            let summed = summed.flat_map(|months| {
                let alike = months.alike.iter().copied();
                [months.day, months.amount].into_iter().chain(alike)
            });
            let rule = table.inferred_day.into_iter();
            let rule = rule.flat_map(|rule| [rule.day, rule.source, rule.applies_to.0]);
            let namesakes = table.namesakes.into_iter();
            let told_apart = namesakes.flat_map(|namesakes| {
                let by = namesakes.distinguished_by.iter();
                by.chain([&namesakes.unless])
            });
            let named = table
                .default_order
                .iter()
                .chain(told_apart)
                .chain(groups)
                .chain(measures)
                .copied()
                .chain(table.natural)
                .chain(summed)
                .chain(rule);
            for name in named {
                assert!(
                    table.field(name.trim_start_matches('-')).is_some(),
                    "{}.{name}",
                    table.name
                );
            }
        }
    }
}
