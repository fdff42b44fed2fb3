//! Whether a line has the fields of its table, in the kinds that PostgreSQL's own jsonb writes. PostgreSQL
//! would also accept `"now"`, `"infinity"` and `"NaN"`; no export contains them, and answers could not show them. Pure.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;
use sextant_actors::domain::{AgentName, Sector};

use super::parts::{AGENTS, CONNECTIONS, ImportPart, SIGN_INS};
use crate::catalog;
use crate::catalog::Kind;
use crate::providers;
use crate::statements::import::ExportedColumn;

/// Levels of objects and arrays in a line. Answers nest it in further levels, and clients' parsers stop at 128.
const NESTING_MAX: usize = 100;

type LineFault = Cow<'static, str>;
type LineMembers<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// Checks one line of a part.
///
/// # Errors
/// What is wrong with it, in a sentence that quotes nothing of it.
pub(super) fn check(part: &ImportPart, line: &str) -> Result<(), LineFault> {
    if is_nested_too_deep(line) {
        return Err("it is nested deeper than any row".into());
    }
    let members: LineMembers<'_> =
        serde_json::from_str(line).map_err(|_| LineFault::from("it is no JSON object"))?;
    for (name, value) in &members {
        let column = part.columns.iter().find(|column| column.name == name);
        let column = column.ok_or("it has a field that this table does not have")?;
        if !fits(column, value.get()) {
            return Err(format!("{} is not of its kind", column.name).into());
        }
    }
    match part.table.as_str() {
        CONNECTIONS => check_connection(&members),
        SIGN_INS => check_sign_in(&members),
        AGENTS => check_agent(&members),
        _ => Ok(()),
    }
}

/// Whether brackets outside of strings are open more than [`NESTING_MAX`] deep.
fn is_nested_too_deep(line: &str) -> bool {
    let (mut open, mut is_text, mut is_escaped) = (0_usize, false, false);
    line.bytes().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => open += 1,
            b'}' | b']' if !is_text => open = open.saturating_sub(1),
            _ => {}
        }
        open > NESTING_MAX
    })
}

fn fits(column: &ExportedColumn, value: &str) -> bool {
    if value == "null" {
        return true;
    }
    let Some(first) = value.bytes().next() else {
        return false;
    };
    match column.kind {
        Kind::Json => true,
        Kind::Text | Kind::Id => first == b'"',
        Kind::Date | Kind::Timestamp => is_date_or_timestamp(value),
        Kind::Boolean => matches!(value, "true" | "false"),
        Kind::Integer | Kind::BigInteger | Kind::Float | Kind::Decimal { .. } => {
            first == b'-' || first.is_ascii_digit()
        }
        // A list of lists would be an array of two dimensions.
        Kind::TextList => serde_json::from_str::<Vec<Option<String>>>(value).is_ok(),
        Kind::IntegerList => serde_json::from_str::<Vec<Option<i32>>>(value).is_ok(),
    }
}

/// Whether it is a date or timestamp with a year of four digits, as in `"2026-03-27T08:00:00+00:00"`. PostgreSQL stores other years,
/// but the service could not read them back.
fn is_date_or_timestamp(value: &str) -> bool {
    let Some(text) = value.strip_prefix('"') else {
        return false;
    };
    let year = text.split_once('-').map_or("", |(year, _)| year);
    let is_year = year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit());
    is_year && !text.ends_with("BC\"")
}

/// The service reads a connection's provider, sector and table back into closed types, so they are checked before they are stored.
fn check_connection(members: &LineMembers<'_>) -> Result<(), LineFault> {
    check_provider(members, providers::ALL)?;
    let sector: Option<Sector> = text(members, "sector").and_then(|word| word.parse().ok());
    let table = text(members, "target_table");
    let table = table.and_then(|target| catalog::by_target(&target));
    match (sector, table) {
        (Some(sector), Some(table)) if table.sector == sector => Ok(()),
        _ => Err("its sector and its target_table are none of this program".into()),
    }
}

/// A sign-in is of a provider that is asked with it.
fn check_sign_in(members: &LineMembers<'_>) -> Result<(), LineFault> {
    check_provider(members, providers::SOURCES)?;
    match text(members, "account") {
        Some(_) => Ok(()),
        None => Err("its account is no text".into()),
    }
}

fn check_provider(members: &LineMembers<'_>, known: &[&str]) -> Result<(), LineFault> {
    let provider = text(members, "provider");
    if provider.is_some_and(|provider| known.contains(&provider.as_str())) {
        return Ok(());
    }
    let known = known.join(", ");
    Err(format!("its provider is none that this program knows; there is {known}").into())
}

fn check_agent(members: &LineMembers<'_>) -> Result<(), LineFault> {
    let name: Option<AgentName> = text(members, "name").and_then(|name| name.parse().ok());
    let sectors = members.get("sectors").map(|sectors| sectors.get());
    let sectors = sectors.and_then(|sectors| serde_json::from_str::<Vec<String>>(sectors).ok());
    match (name, sectors) {
        (Some(_), Some(_)) => Ok(()),
        (None, _) => Err("its name is none that an agent may have".into()),
        (_, None) => Err("its sectors are no list of texts".into()),
    }
}

/// The text of a member; a member of another kind counts as missing, and the callers refuse both alike.
fn text(members: &LineMembers<'_>, name: &str) -> Option<String> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::parts::{Names, parts};
    use super::*;

    fn checked(table: &str, line: &str) -> Result<(), String> {
        checked_in(Names::Present, table, line)
    }

    fn checked_in(names: Names, table: &str, line: &str) -> Result<(), String> {
        let parts = parts(None, names);
        let part = parts.iter().find(|part| part.table == table).unwrap();
        check(part, line).map_err(Cow::into_owned)
    }

    #[test]
    fn a_line_has_the_fields_of_its_table_in_their_kinds() {
        for line in [
            r#"{"id": "x", "amount": -3.5, "booked_on": "2026-03-01", "raw": [1], "extra": null}"#,
            r#"{"amount": null, "source_id_is_synthetic": true}"#,
        ] {
            assert_eq!(checked("finance.transactions", line), Ok(()), "{line}");
        }
        for (line, fault) in [
            ("[]", "it is no JSON object"),
            (r#"{"id": "#, "it is no JSON object"),
            (
                r#"{"user_id": "x"}"#,
                "it has a field that this table does not have",
            ),
            (
                r#"{"tsv": null}"#,
                "it has a field that this table does not have",
            ),
            (r#"{"amount": "NaN"}"#, "amount is not of its kind"),
            (
                r#"{"booked_on": "infinity"}"#,
                "booked_on is not of its kind",
            ),
            (r#"{"synced_at": "now"}"#, "synced_at is not of its kind"),
            (
                r#"{"booked_on": "5000000-01-01"}"#,
                "booked_on is not of its kind",
            ),
            (
                r#"{"booked_on": "0044-03-15 BC"}"#,
                "booked_on is not of its kind",
            ),
            (r#"{"description": 7}"#, "description is not of its kind"),
        ] {
            assert_eq!(
                checked("finance.transactions", line),
                Err(fault.to_owned()),
                "{line}"
            );
        }
    }

    #[test]
    fn each_version_has_its_own_names_and_not_the_others() {
        for (table, former, present) in [
            (
                "finance.holdings",
                r#"{"as_of": "2026-03-01"}"#,
                r#"{"day": "2026-03-01"}"#,
            ),
            (
                "finance.balances",
                r#"{"as_of": "2026-03-01"}"#,
                r#"{"day": "2026-03-01"}"#,
            ),
            (
                "mail.messages",
                r#"{"to_": [], "cc_": [], "bcc_": []}"#,
                r#"{"to": [], "cc": [], "bcc": []}"#,
            ),
            (
                "evidence.days",
                r#"{"source_updated_at": null}"#,
                r#"{"updated_at": null}"#,
            ),
        ] {
            let unknown = Err("it has a field that this table does not have".to_owned());
            assert_eq!(checked_in(Names::Former, table, former), Ok(()), "{former}");
            assert_eq!(
                checked_in(Names::Former, table, present),
                unknown,
                "{present}"
            );
            assert_eq!(
                checked_in(Names::Present, table, present),
                Ok(()),
                "{present}"
            );
            assert_eq!(
                checked_in(Names::Present, table, former),
                unknown,
                "{former}"
            );
        }
    }

    #[test]
    fn lists_are_flat_and_nothing_is_deeper_than_it_can_be_read() {
        let nested = |levels: usize| {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            format!(r#"{{"raw": {open}"[[{{\"[["{close}, "nicknames": ["a", null]}}"#)
        };
        assert_eq!(checked("contacts.people", &nested(NESTING_MAX - 1)), Ok(()));
        for line in [
            nested(NESTING_MAX),
            r#"{"nicknames": [["a"]]}"#.to_owned(),
            r#"{"nicknames": [1]}"#.to_owned(),
        ] {
            assert!(checked("contacts.people", &line).is_err(), "{line}");
        }
    }

    #[test]
    fn connections_and_agents_can_be_read_back() {
        let good = r#"{"provider": "push", "sector": "mail", "target_table": "mail.messages"}"#;
        assert_eq!(checked("connections", good), Ok(()));
        for provider in providers::ALL {
            let good = good.replace("push", provider);
            assert_eq!(checked("connections", &good), Ok(()), "{good}");
        }
        let sign_in = r#"{"provider": "icloud", "account": "op@icloud.example", "scopes": []}"#;
        assert_eq!(checked("sign_ins", sign_in), Ok(()));
        for line in [
            sign_in.replace("icloud\"", "push\""),
            sign_in.replace("\"op@icloud.example\"", "null"),
            sign_in.replace("scopes\": []", "sealed\": \"x\""),
        ] {
            assert!(checked("sign_ins", &line).is_err(), "{line}");
        }
        for line in [
            r#"{"provider": "push", "sector": "mail", "target_table": "finance.accounts"}"#,
            r#"{"provider": "push", "sector": "stars", "target_table": "stars.signs"}"#,
            r#"{"provider": "pull", "sector": "mail", "target_table": "mail.messages"}"#,
            r#"{"provider": "icloud", "sector": "mail", "target_table": "mail.messages", "sealed": null}"#,
            r#"{"provider": null, "sector": "mail", "target_table": "mail.messages"}"#,
            r#"{"sector": "mail", "target_table": "mail.messages"}"#,
            "{}",
        ] {
            assert!(checked("connections", line).is_err(), "{line}");
        }
        assert_eq!(
            checked("agents", r#"{"name": "laptop", "sectors": ["mail", "?"]}"#),
            Ok(())
        );
        for line in [
            r#"{"name": "operator", "sectors": []}"#,
            r#"{"name": "a b", "sectors": []}"#,
            r#"{"name": "laptop", "sectors": [null]}"#,
            r#"{"name": "laptop"}"#,
        ] {
            assert!(checked("agents", line).is_err(), "{line}");
        }
    }
}
