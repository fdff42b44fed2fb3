//! What the connections' routes are sent, read into values that cannot be wrong.

use serde_json::{Value, json};
use sextant_actors::domain::Sector;

use crate::catalog::{self, Table};
use crate::http::body::Fields;
use crate::http::problem::Problem;
use crate::http::schema::{object, one_of, or_null, sector as sector_schema, text as text_schema};
use crate::providers::{self, PUSH};
use crate::store::connections::RemovedRows;

/// The longest label, in characters.
const LABEL_CHARS_MAX: usize = 100;

/// What `POST /api/connections` takes.
pub(super) fn schema() -> Value {
    object([
        ("provider", one_of(providers::ALL)),
        ("sector", sector_schema()),
        ("table?", or_null(text_schema())),
        (
            "label",
            json!({ "type": "string", "minLength": 1, "maxLength": LABEL_CHARS_MAX }),
        ),
    ])
}

/// What a disconnect takes.
pub(super) fn rows_schema() -> Value {
    object([("rows?", or_null(one_of(&["keep", "delete"])))])
}

/// `POST /api/connections`: a push connection for one table (docs/pushing.md#connections).
#[derive(Debug)]
pub(super) struct NewConnection {
    pub(super) label: String,
    pub(super) table: &'static Table,
}

impl NewConnection {
    /// Reads the body.
    ///
    /// # Errors
    /// The field that cannot be taken.
    pub(super) fn parse(mut fields: Fields) -> Result<Self, Problem> {
        let provider = text(&mut fields, "provider")?;
        if provider.as_deref() != Some(PUSH) {
            return Err(Problem::invalid(
                "provider",
                "send \"push\"; it is the only provider so far",
            ));
        }
        let sector = text(&mut fields, "sector")?
            .unwrap_or_default()
            .parse::<Sector>()
            .map_err(|fault| Problem::invalid("sector", format!("{fault}")))?;
        let table = table(sector, text(&mut fields, "table")?)?;
        let label = label(text(&mut fields, "label")?)?;
        fields.finish(&["provider", "sector", "table", "label"])?;
        Ok(Self { label, table })
    }
}

/// Reads the body of a disconnect; rows stay unless their deletion is asked for.
///
/// # Errors
/// When `rows` is neither `keep` nor `delete`.
pub(super) fn rows(mut fields: Fields) -> Result<RemovedRows, Problem> {
    let word = text(&mut fields, "rows")?;
    fields.finish(&["rows"])?;
    match word.as_deref() {
        None | Some("keep") => Ok(RemovedRows::Keep),
        Some("delete") => Ok(RemovedRows::Delete),
        Some(_) => Err(Problem::invalid("rows", "send \"keep\" or \"delete\"")),
    }
}

fn text(fields: &mut Fields, name: &'static str) -> Result<Option<String>, Problem> {
    match fields.take(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Problem::invalid(name, format!("send {name} as text"))),
    }
}

/// A bare name, or one qualified with this very sector; none is the sector's main pushable table.
fn table(sector: Sector, name: Option<String>) -> Result<&'static Table, Problem> {
    let table = match name.as_deref() {
        None => catalog::push_default(sector),
        Some(name) if name.contains('.') => {
            catalog::by_target(name).filter(|table| table.sector == sector)
        }
        Some(name) => catalog::table(sector, name),
    };
    table
        .filter(|table| table.is_pushable())
        .ok_or_else(|| Problem::invalid("table", format!("send one of {}", pushable(sector))))
}

fn pushable(sector: Sector) -> String {
    let names: Vec<_> = catalog::sector(sector)
        .iter()
        .filter(|table| table.is_pushable())
        .map(Table::target)
        .collect();
    names.join(", ")
}

fn label(text: Option<String>) -> Result<String, Problem> {
    let label = text.unwrap_or_default().trim().to_owned();
    let fits = (1..=LABEL_CHARS_MAX).contains(&label.chars().count());
    if fits && !label.contains(char::is_control) {
        return Ok(label);
    }
    Err(Problem::invalid(
        "label",
        format!(
            "send a label of 1 to {LABEL_CHARS_MAX} characters, none of them a control character"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(body: &str) -> Result<NewConnection, Problem> {
        NewConnection::parse(Fields::parse(body.as_bytes()).unwrap())
    }

    fn target(sector: &str, table: &str) -> Result<String, Problem> {
        let body =
            format!(r#"{{"provider":"push","sector":"{sector}","table":{table},"label":"Phone"}}"#);
        parsed(&body).map(|new| new.table.target())
    }

    #[test]
    fn a_table_is_bare_or_qualified_or_the_sectors_own() {
        for (sector, table, expected) in [
            ("finance", "null", "finance.transactions"),
            ("mail", "null", "mail.messages"),
            ("calendar", "null", "calendar.series"),
            ("contacts", "null", "contacts.people"),
            ("health", "null", "health.samples"),
            ("home", "null", "home.entities"),
            ("finance", "\"accounts\"", "finance.accounts"),
            ("finance", "\"finance.holdings\"", "finance.holdings"),
            ("health", "\"days\"", "health.days"),
        ] {
            assert_eq!(target(sector, table).unwrap(), expected);
        }
    }

    #[test]
    fn a_table_that_takes_no_push_is_refused() {
        for (sector, table) in [
            ("finance", "\"balances\""),
            ("finance", "\"mail.messages\""),
            ("finance", "\"messages\""),
            ("calendar", "\"events\""),
            ("mail", "\"threads\""),
            ("home", "\"\""),
            ("stars", "null"),
        ] {
            assert!(target(sector, table).is_err(), "{sector} {table}");
        }
    }

    #[test]
    fn every_field_is_known_and_right() {
        for body in [
            "{}",
            r#"{"provider":"google","sector":"mail","label":"a"}"#,
            r#"{"provider":"push","sector":"mail"}"#,
            r#"{"provider":"push","sector":"mail","label":"  "}"#,
            r#"{"provider":"push","sector":"mail","label":"a\u0000"}"#,
            r#"{"provider":"push","sector":"mail","label":7}"#,
            r#"{"provider":"push","sector":"mail","label":"a","user_id":"x"}"#,
        ] {
            assert!(parsed(body).is_err(), "{body}");
        }
    }
}
