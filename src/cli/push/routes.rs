//! Which connection takes which table.
//!
//! The Console's list of connections says it. Where that list cannot be had (a device that may push but not
//! administrate), a single connection is offered everything, and the server judges.

use serde::Deserialize;

use super::PushError;

/// The Console's list, as far as it matters here.
#[derive(Debug, Clone, Deserialize)]
pub struct Listing {
    connections: Vec<Listed>,
}

#[derive(Debug, Clone, Deserialize)]
struct Listed {
    id: String,
    sector: String,
    table: Option<String>,
    provider: String,
    state: String,
}

/// The connections of a push, in the order they were given.
#[derive(Debug)]
pub struct Routes(Vec<Route>);

#[derive(Debug)]
struct Route {
    id: String,
    /// `sector.table`; `None` takes everything.
    table: Option<String>,
}

impl Routes {
    /// `listing` is `None` if the Console did not answer.
    pub fn new(ids: &[String], listing: Option<Listing>) -> Result<Self, PushError> {
        match (listing, ids) {
            (Some(listing), ids) => ids.iter().map(|id| listing.route(id)).collect::<Result<_, _>>().map(Self),
            (None, [only]) => Ok(Self(vec![Route { id: only.clone(), table: None }])),
            (None, _) => Err(PushError::Connection(
                "the server does not say which table each connection takes; push to one connection at a time".to_owned(),
            )),
        }
    }

    pub fn id(&self, connection: usize) -> &str {
        self.0
            .get(connection)
            .map(|route| route.id.as_str())
            .unwrap_or_default()
    }

    /// The connection for a record; a record without a target belongs to the only one there is.
    pub fn find(&self, target: Option<&str>) -> Result<usize, String> {
        let found = match (target, self.0.as_slice()) {
            (None, [_]) => Some(0),
            (None, _) => return Err("it does not say for which table it is (`target`), and several connections are given".to_owned()),
            (Some(target), routes) => routes.iter().position(|route| route.table.as_deref().is_none_or(|table| table == target)),
        };
        found.ok_or_else(|| {
            format!(
                "it is for {}, and no --connection takes that table",
                target.unwrap_or_default()
            )
        })
    }
}

impl Listing {
    fn route(&self, id: &str) -> Result<Route, PushError> {
        let listed = self.connections.iter().find(|listed| listed.id == id);
        let listed = listed.ok_or_else(|| PushError::Connection(self.unknown(id)))?;
        if listed.provider != "push" {
            let text = format!(
                "connection {id} is pulled from {} and takes no pushes",
                listed.provider
            );
            return Err(PushError::Connection(text));
        }
        if listed.state == "paused" {
            let text =
                format!("connection {id} is paused: resume it in the Console, then push again");
            return Err(PushError::Connection(text));
        }
        Ok(Route {
            id: id.to_owned(),
            table: Some(listed.target()?),
        })
    }

    fn unknown(&self, id: &str) -> String {
        let known = self
            .connections
            .iter()
            .filter(|listed| listed.provider == "push");
        let known: Vec<_> = known
            .map(|listed| format!("{} ({})", listed.id, listed.sector))
            .collect();
        match known.is_empty() {
            true => format!("there is no connection {id}, nor any other that takes pushes"),
            false => format!(
                "there is no connection {id}; those that take pushes are {}",
                known.join(", ")
            ),
        }
    }
}

impl Listed {
    /// Its table with the sector before it.
    fn target(&self) -> Result<String, PushError> {
        let table = self.table.as_deref();
        let table = table
            .ok_or_else(|| PushError::Connection(format!("connection {} has no table", self.id)))?;
        Ok(match table.contains('.') {
            true => table.to_owned(),
            false => format!("{}.{table}", self.sector),
        })
    }
}

/// Ids stand in a path; what would change the path is none.
pub fn connection_id(text: &str) -> Result<String, String> {
    let is_id = !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    match is_id {
        true => Ok(text.to_owned()),
        false => Err("a connection id has letters, digits and hyphens only".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn listing() -> Option<Listing> {
        let listed = |id: &str, sector: &str, table: &str, provider: &str, state: &str| json!({"id": id, "sector": sector, "table": table, "label": "x", "provider": provider, "state": state});
        let connections = [
            listed("money", "finance", "transactions", "push", "active"),
            listed("dates", "calendar", "calendar.series", "push", "active"),
            listed("rest", "health", "samples", "push", "paused"),
            listed("mail", "mail", "messages", "imap", "active"),
        ];
        Some(serde_json::from_value(json!({"connections": connections})).unwrap())
    }

    fn routes(ids: &[&str], listing: Option<Listing>) -> Result<Routes, String> {
        let ids: Vec<_> = ids.iter().map(|id| (*id).to_owned()).collect();
        Routes::new(&ids, listing).map_err(|error| error.to_string())
    }

    #[test]
    fn records_go_by_table() {
        let routes = routes(&["money", "dates"], listing()).unwrap();
        assert_eq!(routes.find(Some("calendar.series")), Ok(1));
        assert_eq!(routes.find(Some("finance.transactions")), Ok(0));
        let reason = routes.find(Some("finance.accounts")).unwrap_err();
        assert_eq!(
            reason,
            "it is for finance.accounts, and no --connection takes that table"
        );
        assert!(routes.find(None).unwrap_err().contains("`target`"));
    }

    #[test]
    fn a_single_connection_takes_what_names_no_table() {
        assert_eq!(routes(&["money"], listing()).unwrap().find(None), Ok(0));
        let blind = routes(&["money"], None).unwrap();
        assert_eq!(
            (blind.find(None), blind.find(Some("calendar.series"))),
            (Ok(0), Ok(0))
        );
    }

    #[test]
    fn a_connection_that_cannot_be_pushed_to_says_why() {
        let table = [
            (
                "mial",
                "there is no connection mial; those that take pushes are money (finance)",
            ),
            ("mail", "connection mail is pulled from imap"),
            ("rest", "connection rest is paused: resume it"),
        ];
        for (id, start) in table {
            let error = routes(&[id], listing()).unwrap_err();
            assert!(error.starts_with(start), "{error}");
        }
        assert!(
            routes(&["money", "dates"], None)
                .unwrap_err()
                .contains("one connection at a time")
        );
    }

    #[test]
    fn what_would_change_the_path_is_no_id() {
        assert!(connection_id("5b1e-0A_").is_ok());
        for text in ["", "a/b", "a?b", "..", "a b"] {
            assert!(connection_id(text).is_err(), "{text}");
        }
    }
}
