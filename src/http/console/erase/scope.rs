//! What an erase is sent: a scope, and with it exactly the field that says which.

use serde_json::{Value, json};

use crate::http::body::Fields;
use crate::http::problem::Problem;
use crate::http::schema::{id, object, one_of, sector};
use crate::store::erase::EraseScope;

const SCOPE: &str = "scope";
const CONNECTION: &str = "connectionId";
const SECTOR: &str = "sector";

/// The JSON Schema of the request.
pub(super) fn schema() -> Value {
    let connection = [(SCOPE, one_of(&["connection"])), (CONNECTION, id())];
    let one_sector = [(SCOPE, one_of(&["sector"])), (SECTOR, sector())];
    let all = [(SCOPE, one_of(&["all"]))];
    json!({ "anyOf": [object(connection), object(one_sector), object(all)] })
}

/// Reads the body. A field that does not go with the scope is refused, `null` too: nobody who sends one means all.
///
/// # Errors
/// The field that cannot be taken.
pub(super) fn parse(mut fields: Fields) -> Result<EraseScope, Problem> {
    let scope = fields.take(SCOPE);
    match scope.as_ref().and_then(Value::as_str) {
        Some("connection") => {
            let named = text(&mut fields, CONNECTION);
            let parsed = named.and_then(|named| named.parse().ok());
            finish(fields, "connection", &[SCOPE, CONNECTION])?;
            parsed.map(EraseScope::Connection).ok_or_else(|| {
                Problem::invalid(CONNECTION, "send connectionId, the id of the connection")
            })
        }
        Some("sector") => {
            let named = text(&mut fields, SECTOR).unwrap_or_default();
            finish(fields, "sector", &[SCOPE, SECTOR])?;
            let parsed = named.parse().map(EraseScope::Sector);
            parsed.map_err(|fault| Problem::invalid(SECTOR, format!("{fault}")))
        }
        Some("all") => finish(fields, "all", &[SCOPE]).map(|()| EraseScope::All),
        _ => Err(Problem::invalid(
            SCOPE,
            "send scope as \"connection\", \"sector\" or \"all\"",
        )),
    }
}

/// What the audit row keeps of the request (r040).
pub(super) fn args(scope: EraseScope) -> Value {
    match scope {
        EraseScope::Connection(id) => json!({ SCOPE: "connection", CONNECTION: id }),
        EraseScope::Sector(sector) => json!({ SCOPE: "sector", SECTOR: sector.name() }),
        EraseScope::All => json!({ SCOPE: "all" }),
    }
}

fn text(fields: &mut Fields, name: &str) -> Option<String> {
    match fields.take(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn finish(mut fields: Fields, scope: &str, known: &[&str]) -> Result<(), Problem> {
    for name in [CONNECTION, SECTOR] {
        if !known.contains(&name) && fields.take(name).is_some() {
            return Err(Problem::invalid(
                name,
                format!("{name} does not go with the scope {scope}; leave it out"),
            ));
        }
    }
    fields.finish(known)
}

#[cfg(test)]
mod tests {
    use sextant_actors::domain::Sector;
    use uuid::Uuid;

    use super::*;

    fn parsed(body: &Value) -> Result<EraseScope, String> {
        let fields = Fields::parse(body.to_string().as_bytes()).unwrap();
        parse(fields).map_err(|problem| {
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
                assert_eq!(args(scope), body);
            }
        }
    }
}
