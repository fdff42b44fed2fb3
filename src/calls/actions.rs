//! `list_actions` and `invoke_action`: honest about there being none.

use serde_json::json;
use sextant_actors::domain::Sector;

use super::desk::Visit;
use super::verdict::{Answered, Failure};
use crate::query::fault::Fault;
use crate::query::request::{object, refuse_unknown, text};

/// The catalogue of actions: empty (r007: five sectors never have any; home has none until a home system is connected).
pub(super) fn list(visit: &Visit<'_>) -> Result<Answered, Failure> {
    let map = object(visit.arguments)?;
    refuse_unknown(map, &["target"])?;
    text(map, "target")?;
    let answer = json!({
        "actions": [],
        "notes": ["no action is offered yet: finance, mail, calendar, contacts and health are read-only, and no home system is connected"],
    });
    Ok(Answered {
        text: answer.to_string(),
        count: 0,
    })
}

/// Refuses in words: there is nothing to invoke.
pub(super) fn invoke(visit: &Visit<'_>, sector: Option<Sector>) -> Result<Answered, Failure> {
    refuse_unknown(object(visit.arguments)?, &["action", "params"])?;
    let text = match sector {
        None => "`action` is missing: a name that list_actions gives".to_owned(),
        Some(Sector::Home) => "no action of 'home' exists yet: list_actions is empty".to_owned(),
        Some(sector) => format!("sector '{sector}' is read-only: it has no actions"),
    };
    Err(Fault::new(text).into())
}
