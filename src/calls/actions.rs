//! `list_actions` and `invoke_action`: what can be done at the homes that are listened to now. The other five sectors have none (r007).
//!
//! ```text
//! homes.rs   the homes that are connected, and what each can do now
//! list.rs    the catalogue, for all of them      invoke.rs   one action, at the home that has it
//! ```

mod homes;
mod invoke;
mod list;

use serde_json::{Map, Value};
use sextant_actors::domain::Sector;

use crate::query::arguments::{object, refuse_unknown, text};
use crate::query::fault::CallFault;

pub(super) use invoke::invoke;
pub(super) use list::list;

/// What is to be listed: actions whose names begin so (`home`, `home.light`, `home.light.turn_on`); all without it.
pub(super) struct ListRequest {
    prefix: Option<String>,
}

/// An action to be invoked.
pub(super) struct InvokeRequest {
    action: String,
    parameters: Map<String, Value>,
    /// The label of the home, where there are several.
    connection: Option<String>,
}

pub(super) fn read_list(arguments: &Value) -> Result<ListRequest, CallFault> {
    let map = object(arguments)?;
    refuse_unknown(map, &["target"])?;
    let prefix = text(map, "target")?;
    Ok(ListRequest { prefix })
}

/// Reads what is to be invoked. Whether there is such an action is asked of the home itself.
pub(super) fn read_invoke(
    arguments: &Value,
    sector: Option<Sector>,
) -> Result<InvokeRequest, CallFault> {
    let map = object(arguments)?;
    refuse_unknown(map, &["action", "params", "connection"])?;
    let missing = || CallFault::new("`action` is missing: a name that list_actions gives");
    let action = text(map, "action")?.ok_or_else(missing)?;
    match sector {
        Some(Sector::Home) => {}
        Some(sector) => {
            let message = format!("sector '{sector}' is read-only: it has no actions");
            return Err(CallFault::new(message));
        }
        None => return Err(missing()),
    }
    let parameters = match map.get("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(parameters)) => parameters.clone(),
        Some(_) => {
            let message = "`params` is an object: the action's parameters by their names";
            return Err(CallFault::new(message));
        }
    };
    Ok(InvokeRequest {
        action,
        parameters,
        connection: text(map, "connection")?,
    })
}
