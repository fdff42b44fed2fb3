//! What an erase is sent: a scope, and with it exactly the field that says which.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::problem::{Code, Problem};
use crate::http::schema::{id, object, one_of, sector};
use crate::store::erase::EraseScope;

/// What both routes are refused with, besides a body that cannot be read.
pub(super) const REFUSALS: &[Code] = &[Code::NotFound, Code::Internal, Code::Unavailable];

const SCOPE: &str = "scope";
const CONNECTION: &str = "connectionId";
const SECTOR: &str = "sector";

/// The body of both routes. The fields are values still, since which of them may be there depends on the scope.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EraseRequest {
    scope: ScopeName,
    connection_id: Option<Value>,
    sector: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
enum ScopeName {
    Connection,
    Sector,
    All,
}

impl TryFrom<Option<Value>> for ScopeName {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        match sent.as_ref().and_then(Value::as_str) {
            Some("connection") => Ok(Self::Connection),
            Some("sector") => Ok(Self::Sector),
            Some("all") => Ok(Self::All),
            _ => Err("send scope as \"connection\", \"sector\" or \"all\""),
        }
    }
}

/// The JSON Schema of the body. Written by hand: a derived one cannot say which field goes with which scope.
pub(super) fn schema() -> Value {
    let connection = [(SCOPE, one_of(&["connection"])), (CONNECTION, id())];
    let one_sector = [(SCOPE, one_of(&["sector"])), (SECTOR, sector())];
    let all = [(SCOPE, one_of(&["all"]))];
    json!({ "anyOf": [object(connection), object(one_sector), object(all)] })
}

impl EraseRequest {
    /// What is to be erased. A field that does not go with the scope is refused, `null` too: nobody who sends one means all.
    ///
    /// # Errors
    /// The field that cannot be taken.
    pub(super) fn scope(self) -> Result<EraseScope, Problem> {
        let Self {
            scope,
            connection_id,
            sector,
        } = self;
        match scope {
            ScopeName::Connection => {
                refuse_if_sent(SECTOR, sector.as_ref(), "connection")?;
                connection_scope(connection_id.as_ref())
            }
            ScopeName::Sector => {
                refuse_if_sent(CONNECTION, connection_id.as_ref(), "sector")?;
                sector_scope(sector.as_ref())
            }
            ScopeName::All => {
                refuse_if_sent(CONNECTION, connection_id.as_ref(), "all")?;
                refuse_if_sent(SECTOR, sector.as_ref(), "all")?;
                Ok(EraseScope::All)
            }
        }
    }
}

fn connection_scope(sent: Option<&Value>) -> Result<EraseScope, Problem> {
    let id = sent.and_then(Value::as_str).map(str::parse);
    match id {
        Some(Ok(id)) => Ok(EraseScope::Connection(id)),
        Some(Err(_)) | None => Err(Problem::invalid(
            CONNECTION,
            "send connectionId, the id of the connection",
        )),
    }
}

fn sector_scope(sent: Option<&Value>) -> Result<EraseScope, Problem> {
    // Anything but text is answered like a text that names no sector.
    let name = sent.and_then(Value::as_str).unwrap_or("");
    let sector = name.parse();
    sector
        .map(EraseScope::Sector)
        .map_err(|unknown| Problem::invalid(SECTOR, format!("{unknown}")))
}

fn refuse_if_sent(
    field: &'static str,
    sent: Option<&Value>,
    scope: &'static str,
) -> Result<(), Problem> {
    match sent {
        None => Ok(()),
        Some(_) => Err(Problem::invalid(
            field,
            format!("{field} does not go with the scope {scope}; leave it out"),
        )),
    }
}

/// What the audit row keeps of the request (r040).
pub(super) fn audit_args(scope: EraseScope) -> Value {
    match scope {
        EraseScope::Connection(id) => json!({ SCOPE: "connection", CONNECTION: id }),
        EraseScope::Sector(sector) => json!({ SCOPE: "sector", SECTOR: sector.name() }),
        EraseScope::All => json!({ SCOPE: "all" }),
    }
}

#[cfg(test)]
mod tests {
    use sextant_actors::domain::Sector;
    use uuid::Uuid;

    use super::*;
    use crate::http::request::read_text;

    fn parsed(body: &Value) -> Result<EraseScope, String> {
        let scope = read_text::<EraseRequest>(&body.to_string()).and_then(EraseRequest::scope);
        scope.map_err(|problem| {
            let body: Value = serde_json::from_str(&problem.json()).unwrap();
            body["field"].as_str().unwrap().to_owned()
        })
    }

    #[test]
    fn each_scope_takes_the_field_that_says_which_and_no_other() {
        let id = Uuid::nil();
        for (body, expected) in [
            (json!({"scope": "all"}), Ok(EraseScope::All)),
            (
                json!({"scope": "sector", "sector": "mail"}),
                Ok(EraseScope::Sector(Sector::Mail)),
            ),
            (
                json!({"scope": "connection", "connectionId": id}),
                Ok(EraseScope::Connection(id)),
            ),
            (json!({}), Err("scope")),
            (json!({"scope": null}), Err("scope")),
            (json!({"scope": "everything"}), Err("scope")),
            (json!({"scope": ["all"]}), Err("scope")),
            (json!({"scope": "all", "sector": "mail"}), Err("sector")),
            (json!({"scope": "all", "sector": null}), Err("sector")),
            (
                json!({"scope": "all", "connectionId": id}),
                Err("connectionId"),
            ),
            (json!({"scope": "all", "dry": true}), Err("dry")),
            (json!({"scope": "sector"}), Err("sector")),
            (json!({"scope": "sector", "sector": "stars"}), Err("sector")),
            (json!({"scope": "sector", "sector": "*"}), Err("sector")),
            (
                json!({"scope": "sector", "sector": "mail", "connectionId": id}),
                Err("connectionId"),
            ),
            (json!({"scope": "connection"}), Err("connectionId")),
            (
                json!({"scope": "connection", "connectionId": null}),
                Err("connectionId"),
            ),
            (
                json!({"scope": "connection", "connectionId": "x"}),
                Err("connectionId"),
            ),
            (
                json!({"scope": "connection", "connectionId": id, "sector": "mail"}),
                Err("sector"),
            ),
        ] {
            let expected = expected.map_err(str::to_owned);
            assert_eq!(parsed(&body), expected, "{body}");
            if let Ok(scope) = parsed(&body) {
                assert_eq!(audit_args(scope), body);
            }
        }
    }
}
