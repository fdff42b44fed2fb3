//! One action: judged against what the home can do now, sent once, and told as the home reported it (r127).
//!
//! The call runs in the request's own future: a gate that closes before the action was sent drops it, and it is never sent. What was
//! sent is never sent again.

use std::sync::Arc;

use serde_json::{Value, json};
use sextant_actors::domain::{EscapedText, Obstacle};
use sextant_connectors::action::{ActionCall, ActionOutcome, ActionRefusal, Actuator};

use super::InvokeRequest;
use super::homes::{AbleHome, ConnectedHome, connected};
use crate::calls::context::CallContext;
use crate::calls::verdict::{CallFailure, ToolAnswer};
use crate::query::fault::CallFault;

/// A response may take one of this many parts of an answer: escaped, it may be twice as long.
const RESPONSE_PARTS: usize = 3;

/// An action that was found right, and the home that does it.
struct PreparedCall {
    label: String,
    call: ActionCall,
    actuator: Arc<dyn Actuator>,
}

/// Invokes an action.
pub(in crate::calls) async fn invoke(
    context: &CallContext<'_>,
    request: &InvokeRequest,
    bytes_max: usize,
) -> Result<ToolAnswer, CallFailure> {
    let prepared = prepare(connected(context).await, request)?;
    match prepared.actuator.invoke(&prepared.call).await {
        Ok(outcome) => Ok(answer(&prepared, outcome, bytes_max)),
        Err(failure) => {
            let text = format!("'{}' did not do it: {}", prepared.label, failure.message);
            Err(CallFailure::Plain(Obstacle::Source, text))
        }
    }
}

/// Finds the home that has what is acted on. With several, the entities decide, and where they do not, `connection`.
fn prepare(
    homes: Vec<ConnectedHome>,
    request: &InvokeRequest,
) -> Result<PreparedCall, CallFailure> {
    if homes.is_empty() {
        let text = "no active connection for sector 'home'".to_owned();
        return Err(CallFailure::Plain(Obstacle::NoSource, text));
    }
    let asked = match &request.connection {
        Some(label) => named(homes, label)?,
        None => homes,
    };
    let labels: Vec<String> = asked.iter().map(|home| quoted(&home.label)).collect();
    let mut able = Vec::new();
    let mut refusals = Vec::new();
    for home in asked {
        let Some(AbleHome { catalog, actuator }) = home.able else {
            continue;
        };
        match catalog.prepare(&request.action, &request.parameters) {
            Ok(call) => able.push(PreparedCall {
                label: home.label,
                call,
                actuator,
            }),
            Err(refusal) => refusals.push(refusal),
        }
    }
    if able.len() > 1 {
        let labels: Vec<String> = able.iter().map(|home| quoted(&home.label)).collect();
        let message = format!(
            "several homes have it: say which with `connection`, one of {}",
            labels.join(", ")
        );
        return Err(CallFault::new(message).into());
    }
    able.pop().ok_or_else(|| refused(refusals, &labels))
}

fn named(homes: Vec<ConnectedHome>, label: &str) -> Result<Vec<ConnectedHome>, CallFailure> {
    let labels: Vec<String> = homes.iter().map(|home| quoted(&home.label)).collect();
    let named: Vec<ConnectedHome> = homes
        .into_iter()
        .filter(|home| home.label == label)
        .collect();
    if named.is_empty() {
        let message = format!(
            "no home is called so: `connection` is one of {}",
            labels.join(", ")
        );
        return Err(CallFault::new(message).into());
    }
    Ok(named)
}

/// What is wrong with the parameters is said of the home that knows the action.
fn refused(refusals: Vec<ActionRefusal>, labels: &[String]) -> CallFailure {
    let best = refusals
        .into_iter()
        .max_by_key(|refusal| refusal.parameter.is_some());
    match best {
        Some(refusal) => CallFault::new(refusal.message).into(),
        None => {
            let text = format!(
                "{} cannot be reached now: nothing was sent; try again in a minute",
                labels.join(", ")
            );
            CallFailure::Plain(Obstacle::Source, text)
        }
    }
}

fn quoted(label: &str) -> String {
    format!("'{label}'")
}

/// What the home reported. A response that is too long is left out: the action is done all the same.
fn answer(prepared: &PreparedCall, outcome: ActionOutcome, bytes_max: usize) -> ToolAnswer {
    let changed: Vec<Value> = outcome
        .changed
        .iter()
        .map(|changed| {
            json!({
                "entity_id": changed.entity_id,
                "state": changed.state,
                "changed_at": changed.changed_at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
            })
        })
        .collect();
    let mut answer = json!({
        "action": prepared.call.name(),
        "connection": prepared.label,
        "outcome": "done",
        "changed": changed,
    });
    if let (Some(response), Some(members)) = (outcome.response, answer.as_object_mut()) {
        if response.to_string().len() * RESPONSE_PARTS <= bytes_max {
            members.insert("response".to_owned(), response);
            members.insert("untrusted".to_owned(), json!(["response"]));
        } else {
            let note = "the action was done; what it answered is too long to be shown";
            members.insert("notes".to_owned(), json!([note]));
        }
    }
    ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: None,
    }
}
