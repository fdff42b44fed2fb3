//! `list_actions` and `invoke_action`: there are no actions yet, and both say so.

use serde_json::{Value, json};
use sextant_actors::domain::{EscapedText, Sector};

use super::verdict::ToolAnswer;
use crate::query::arguments::{object, refuse_unknown, text};
use crate::query::fault::CallFault;

pub(super) fn read(arguments: &Value) -> Result<(), CallFault> {
    let map = object(arguments)?;
    refuse_unknown(map, &["target"])?;
    text(map, "target").map(|_| ())
}

/// The catalogue of actions: empty (r007: five sectors never have any; home has none until a home system is connected).
pub(super) fn list() -> ToolAnswer {
    let answer = json!({
        "actions": [],
        "notes": ["no action is offered yet: finance, mail, calendar, contacts and health are read-only, and no home system is connected"],
    });
    ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: 0,
    }
}

/// Why an action cannot be invoked: a fault of the arguments, else that there is none.
pub(super) fn refusal(arguments: &Value, sector: Option<Sector>) -> CallFault {
    let known = object(arguments).and_then(|map| refuse_unknown(map, &["action", "params"]));
    known.err().unwrap_or_else(|| {
        CallFault::new(match sector {
            None => "`action` is missing: a name that list_actions gives".to_owned(),
            Some(Sector::Home) => {
                "no action of 'home' exists yet: list_actions is empty".to_owned()
            }
            Some(sector) => format!("sector '{sector}' is read-only: it has no actions"),
        })
    })
}
