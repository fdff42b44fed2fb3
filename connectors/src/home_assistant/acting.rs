//! What can be done at a home: its services, for the entities that exist and may be acted on.

mod catalog;
mod domains;
mod filter;
mod selector;

use std::collections::HashMap;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};

pub use domains::ActionDomains;

use super::session::{HomeEvents, HomeSession};
use super::snapshot::HomeSnapshot;
use super::state::EntityState;
use super::wire::not_in_time;
use super::wire::text;
use crate::action::{ActionCall, ActionCatalog, ActionOutcome, Actuator, ChangedState};
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{HOME_ACTION_DEADLINE, HOME_ACTION_SETTLE};

/// Acts over the socket that also brings the changes.
pub(super) struct HomeActuator {
    session: HomeSession,
    domains: ActionDomains,
}

impl HomeActuator {
    pub(super) const fn new(session: HomeSession, domains: ActionDomains) -> Self {
        Self { session, domains }
    }
}

#[async_trait]
impl Actuator for HomeActuator {
    async fn catalog(&self) -> Result<ActionCatalog, SourceFailure> {
        let services = self.session.ask(json!({"type": "get_services"})).await?;
        let snapshot = HomeSnapshot::read(&self.session).await?;
        catalog::make(&services, &snapshot, &self.domains)
    }

    async fn invoke(&self, call: &ActionCall) -> Result<ActionOutcome, SourceFailure> {
        let subscribing = self.session.subscribe(&["state_changed"]);
        let subscribed = timeout(HOME_ACTION_DEADLINE, subscribing).await;
        let mut events = subscribed.unwrap_or_else(|_| Err(not_in_time()))?;
        call_service(&self.session, &mut events, call).await
    }
}

/// Calls once. The states of the home's answer's context are gathered until each target has changed, or for
/// [`HOME_ACTION_SETTLE`] after the answer.
async fn call_service(
    session: &HomeSession,
    events: &mut HomeEvents,
    call: &ActionCall,
) -> Result<ActionOutcome, SourceFailure> {
    let mut seen = SeenStates::default();
    let asking = session.ask_within(question(call)?, HOME_ACTION_DEADLINE);
    tokio::pin!(asking);
    let answer = loop {
        tokio::select! {
            answer = &mut asking => break answer.map_err(not_known)?,
            event = events.next() => seen.take(&event.map_err(not_known)?),
        }
    };
    let context = answer.get("context").unwrap_or(&Value::Null);
    let context = text(context, "id").unwrap_or_default();
    let until = Instant::now() + HOME_ACTION_SETTLE;
    while !seen.has_all(context, call.entities()) {
        match timeout_at(until, events.next()).await {
            Ok(Ok(event)) => seen.take(&event),
            // The home said that it is done; what cannot be seen any more does not change that.
            Ok(Err(_)) | Err(_) => break,
        }
    }
    let response = answer.get("response").filter(|answer| !answer.is_null());
    Ok(ActionOutcome {
        changed: seen.of(context),
        response: response.cloned(),
    })
}

fn question(call: &ActionCall) -> Result<Value, SourceFailure> {
    let mut parts = call.name().split('.').skip(1);
    let (Some(domain), Some(service)) = (parts.next(), parts.next()) else {
        let message = "an action that is not of a home";
        return Err(SourceFailure::new(FailureKind::NotFound, message));
    };
    let mut question = json!({
        "type": "call_service",
        "domain": domain,
        "service": service,
        "service_data": call.parameters(),
        "target": {"entity_id": call.entities()},
    });
    if let (true, Some(question)) = (call.answers(), question.as_object_mut()) {
        question.insert("return_response".to_owned(), true.into());
    }
    Ok(question)
}

/// An answer that did not come leaves open what was done.
fn not_known(mut failure: SourceFailure) -> SourceFailure {
    if failure.kind == FailureKind::Unavailable {
        failure.message += "; whether the action was done is not known";
    }
    failure
}

/// The last state of each entity that changed, by the context that caused it: which one is ours is known last.
#[derive(Default)]
struct SeenStates(HashMap<String, HashMap<String, ChangedState>>);

impl SeenStates {
    fn take(&mut self, event: &Value) {
        let new_state = event.get("data").and_then(|data| data.get("new_state"));
        let Some(state) = new_state.and_then(EntityState::read) else {
            return;
        };
        let changed = ChangedState {
            entity_id: state.entity_id.clone(),
            state: state.state,
            changed_at: state.last_changed,
        };
        let of_context = self.0.entry(state.context_id).or_default();
        of_context.insert(state.entity_id, changed);
    }

    fn has_all(&self, context: &str, entities: &[String]) -> bool {
        let seen = self.0.get(context);
        seen.is_some_and(|seen| entities.iter().all(|entity| seen.contains_key(entity)))
    }

    fn of(mut self, context: &str) -> Vec<ChangedState> {
        let mut changed: Vec<ChangedState> = self
            .0
            .remove(context)
            .unwrap_or_default()
            .into_values()
            .collect();
        changed.sort_by(|left, right| left.entity_id.cmp(&right.entity_id));
        changed
    }
}
