//! A connection for pushes.

use actix_web::{HttpRequest, web};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use sextant_actors::domain::{IngestSecret, Sector};
use sextant_actors::random;

use super::super::connection_view::{ConnectionView, ingest_url};
use super::super::publish::publish_if_changed;
use super::label::Label;
use crate::catalog::{self, Table};
use crate::http::console::{Parts, to_the_end};
use crate::http::problem::Problem;
use crate::http::request::OrNull;
use crate::http::schema;
use crate::http::sector_name::SectorName;
use crate::providers::PUSH;
use crate::store::connections::{self, NewPush};

/// A push connection for one table (docs/pushing.md#connections).
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct NewPushConnection {
    #[schemars(schema_with = "only_push")]
    #[expect(
        dead_code,
        reason = "it is by its provider that it is read as this type"
    )]
    provider: String,
    sector: SectorName,
    table: Option<OrNull<String>>,
    label: Label,
}

fn only_push(_generator: &mut SchemaGenerator) -> Schema {
    Schema::try_from(schema::one_of(&[PUSH])).unwrap_or_default()
}

impl NewPushConnection {
    /// The table that pushes fill: a bare name, or one qualified with this very sector; without one, the sector's main
    /// pushable table.
    ///
    /// # Errors
    /// When the sector has no such table, or it takes no push.
    fn table(&self) -> Result<&'static Table, Problem> {
        let SectorName(sector) = self.sector;
        let table = match &self.table {
            None | Some(OrNull::Null) => catalog::push_default(sector),
            Some(OrNull::Value(name)) if name.contains('.') => {
                catalog::by_target(name).filter(|table| table.sector == sector)
            }
            Some(OrNull::Value(name)) => catalog::table(sector, name),
        };
        let pushable = table.filter(|table| table.is_pushable());
        pushable.ok_or_else(|| {
            Problem::invalid("table", format!("send one of {}", list_pushable(sector)))
        })
    }
}

fn list_pushable(sector: Sector) -> String {
    let tables = catalog::sector(sector).iter();
    let names: Vec<_> = tables
        .filter(|table| table.is_pushable())
        .map(Table::target)
        .collect();
    names.join(", ")
}

/// Makes it, with a secret that is shown this once.
pub(super) async fn create(
    parts: web::Data<Parts>,
    request: &HttpRequest,
    new: NewPushConnection,
) -> Result<CreatedPush, Problem> {
    let table = new.table()?;
    let secret = IngestSecret::mint()?;
    let Label(label) = new.label;
    let push = NewPush {
        id: random::identifier()?,
        label,
        table,
        secret: Some(secret.digest()),
    };
    let ingest_url = ingest_url(request, push.id);
    to_the_end(async move {
        let now = parts.clock.now();
        let created = connections::create(&parts.pool, &push, now).await;
        publish_if_changed(&parts, push.id, &created).await;
        Ok(CreatedPush {
            connections: vec![ConnectionView::of(created?, now)],
            secret: secret.reveal(),
            ingest_url,
        })
    })
    .await
}

/// A connection that was just made, with its secret: shown this once (r085).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedPush {
    connections: Vec<ConnectionView>,
    secret: String,
    ingest_url: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::read_text;

    fn parse(body: &str) -> Result<&'static Table, Problem> {
        read_text::<NewPushConnection>(body)?.table()
    }

    fn target(sector: &str, table: &str) -> Result<String, Problem> {
        let body =
            format!(r#"{{"provider":"push","sector":"{sector}","table":{table},"label":"Phone"}}"#);
        parse(&body).map(Table::target)
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
            r#"{"provider":"push","sector":"mail"}"#,
            r#"{"provider":"push","sector":"mail","label":"  "}"#,
            r#"{"provider":"push","sector":"mail","label":"a\u0000"}"#,
            r#"{"provider":"push","sector":"mail","label":7}"#,
            r#"{"provider":"push","sector":"mail","label":"a","user_id":"x"}"#,
        ] {
            assert!(parse(body).is_err(), "{body}");
        }
    }

    #[test]
    fn what_is_refused_names_what_to_send() {
        for (body, expected) in [
            (
                r#"{"provider":"push"}"#,
                "no such sector; the six are finance, mail, calendar, contacts, health, home",
            ),
            (
                r#"{"provider":"push","sector":["mail"]}"#,
                "send sector as text",
            ),
            (
                r#"{"provider":"push","sector":"mail","table":7}"#,
                "send table as text",
            ),
            (
                r#"{"provider":"push","sector":"mail"}"#,
                "send a label of 1 to 100 characters, none of them a control character",
            ),
            (
                r#"{"provider":"push","sector":"mail","label":"a","x":1}"#,
                "unknown field `x`; this route takes provider, sector, table, label",
            ),
        ] {
            let refusal = parse(body).unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"), "{body}");
        }
    }
}
