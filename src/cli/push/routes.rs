//! Which connections a push has: those that were given, in their order, then those that are known. Pure.
//!
//! The Console's list of connections says which table each takes. Without that list (a device may push but not administrate)
//! a single connection gets every record, and the server decides.

use super::error::PushError;
use super::listing::Listing;
use crate::intake::{Route, Routes};

/// `listing` is `None` if the Console did not answer. Ids that were not given but are `known` serve as far as they
/// fit.
pub(super) fn connection_routes(
    given: &[String],
    known: &[String],
    listing: Option<&Listing>,
) -> Result<Routes, PushError> {
    let routes = match (listing, given) {
        (Some(listing), _) => {
            let named = given.iter().map(|id| listing.given(id));
            let rest = known.iter().filter(|id| !given.contains(id));
            let rest = rest.filter_map(|id| listing.known(id)).map(Ok);
            named.chain(rest).collect::<Result<_, _>>()?
        }
        (None, []) => Vec::new(),
        (None, [only]) => vec![Route { id: only.clone(), table: None, closed: None }],
        (None, _) => return Err(PushError::Connection(
            "the server does not say which table each connection takes; push to one connection at a time".to_owned(),
        )),
    };
    Ok(Routes::new(routes, given.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::NoRoute;
    use serde_json::json;

    fn listing() -> Listing {
        let listed = |id: &str, sector: &str, table: &str, provider: &str, state: &str| json!({"id": id, "sector": sector, "table": table, "label": "x", "provider": provider, "state": state});
        let connections = [
            listed("money", "finance", "transactions", "push", "active"),
            listed("dates", "calendar", "calendar.series", "push", "active"),
            listed("rest", "health", "samples", "push", "paused"),
            listed("mail", "mail", "messages", "imap", "active"),
        ];
        serde_json::from_value(json!({"connections": connections})).unwrap()
    }

    fn owned(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    fn routes(given: &[&str], listing: Option<&Listing>) -> Result<Routes, String> {
        connection_routes(&owned(given), &[], listing).map_err(|error| error.to_string())
    }

    #[test]
    fn records_go_by_table() {
        let routes = routes(&["money", "dates"], Some(&listing())).unwrap();
        assert_eq!(routes.find(Some("calendar.series")), Ok(1));
        assert_eq!(routes.find(Some("finance.transactions")), Ok(0));
        assert_eq!(routes.find(Some("finance.accounts")), Err(NoRoute::Missing));
        assert_eq!(routes.find(None), Err(NoRoute::Untold));
    }

    #[test]
    fn a_single_connection_takes_what_names_no_table() {
        let seeing = routes(&["money"], Some(&listing())).unwrap();
        assert_eq!(seeing.find(None), Ok(0));
        let blind = routes(&["money"], None).unwrap();
        assert_eq!(
            (blind.find(None), blind.find(Some("calendar.series"))),
            (Ok(0), Ok(0))
        );
    }

    #[test]
    fn what_is_known_serves_where_it_fits_and_what_is_gone_does_not_hinder() {
        let known = owned(&["gone", "mail", "dates", "rest", "money"]);
        let mut routes = connection_routes(&owned(&["money"]), &known, Some(&listing())).unwrap();
        assert_eq!(
            (routes.len(), routes.id(0).unwrap(), routes.id(1).unwrap()),
            (3, "money", "dates")
        );
        assert!(routes.id(3).is_none());
        assert_eq!(routes.find(Some("mail.messages")), Err(NoRoute::Missing));
        let closed = routes.find(Some("health.samples"));
        assert!(matches!(closed, Err(NoRoute::Closed(reason)) if reason.contains("is paused")));
        assert_eq!(routes.add("new".to_owned(), "mail.messages"), 3);
        assert_eq!(routes.find(Some("mail.messages")), Ok(3));
        assert_eq!(routes.find(None), Ok(0));
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
            let error = routes(&[id], Some(&listing())).unwrap_err();
            assert!(error.starts_with(start), "{error}");
        }
        assert!(
            routes(&["money", "dates"], None)
                .unwrap_err()
                .contains("one connection at a time")
        );
    }
}
