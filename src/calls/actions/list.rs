//! The catalogue of actions.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sextant_actors::domain::{EscapedText, Sector};
use sextant_connectors::action::ActionEntry;

use super::ListRequest;
use super::homes::{ConnectedHome, connected};
use crate::calls::context::CallContext;
use crate::calls::verdict::ToolAnswer;

/// An action of one home.
struct OfferedAction<'a> {
    entry: &'a ActionEntry,
    /// The home's label, where there are several.
    connection: Option<&'a str>,
}

/// Lists what can be done now at the homes of the grant.
pub(in crate::calls) async fn list(
    context: &CallContext<'_>,
    request: &ListRequest,
    bytes_max: usize,
) -> ToolAnswer {
    let is_home = request.prefix.as_deref().is_none_or(is_of_home);
    if !is_home || !context.caller.sectors.contains(Sector::Home) {
        return answer(&[], None, &[READ_ONLY.to_owned()]);
    }
    let homes = connected(context).await;
    let notes = notes(&homes);
    let listed = listed(&homes, request.prefix.as_deref());
    let whole = answer(&listed, None, &notes);
    if whole.text.text_bytes() <= bytes_max {
        return whole;
    }
    domains(&listed, notes)
}

const READ_ONLY: &str =
    "finance, mail, calendar, contacts and health are read-only: they have no actions";

fn is_of_home(prefix: &str) -> bool {
    prefix == Sector::Home.name() || prefix.starts_with("home.")
}

fn notes(homes: &[ConnectedHome]) -> Vec<String> {
    if homes.is_empty() {
        return vec![format!("no home system is connected; {READ_ONLY}")];
    }
    let away = homes.iter().filter(|home| home.able.is_none());
    away.map(|home| {
        format!(
            "'{}' cannot be reached now: its actions are not known",
            home.label
        )
    })
    .collect()
}

fn listed<'a>(homes: &'a [ConnectedHome], prefix: Option<&str>) -> Vec<OfferedAction<'a>> {
    let are_several = homes.len() > 1;
    let mut listed = Vec::new();
    for home in homes {
        let Some(able) = &home.able else { continue };
        let asked = able.catalog.actions.iter();
        let asked = asked.filter(|entry| prefix.is_none_or(|prefix| is_below(&entry.name, prefix)));
        listed.extend(asked.map(|entry| OfferedAction {
            entry,
            connection: are_several.then_some(home.label.as_str()),
        }));
    }
    listed
}

/// Whether the name is the prefix, or goes on after it with a dot.
fn is_below(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Where the catalogue is too long: how many actions each domain has, and how to ask for those of one.
fn domains(listed: &[OfferedAction<'_>], mut notes: Vec<String>) -> ToolAnswer {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in listed {
        let domain = one
            .entry
            .name
            .rsplit_once('.')
            .map_or("", |(domain, _)| domain);
        *counts.entry(domain).or_default() += 1;
    }
    let example = counts.keys().next().copied().unwrap_or("home.light");
    notes.push(format!(
        "the catalogue is too long to be shown at once: ask for one domain, as {{\"target\":\"{example}\"}}"
    ));
    let counts: Vec<Value> = counts
        .into_iter()
        .map(|(domain, actions)| json!({"target": domain, "actions": actions}))
        .collect();
    answer(&[], Some(counts), &notes)
}

fn answer(
    listed: &[OfferedAction<'_>],
    domains: Option<Vec<Value>>,
    notes: &[String],
) -> ToolAnswer {
    let actions: Vec<Value> = listed.iter().map(shown).collect();
    let count = actions.len();
    let mut answer = json!({ "actions": actions });
    if let Some(members) = answer.as_object_mut() {
        if let Some(domains) = domains {
            members.insert("domains".to_owned(), domains.into());
        }
        if !notes.is_empty() {
            members.insert("notes".to_owned(), notes.into());
        }
    }
    ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: Some(count),
    }
}

fn shown(listed: &OfferedAction<'_>) -> Value {
    let entry = listed.entry;
    let mut shown = json!({
        "action": entry.name,
        "title": entry.title,
        "description": entry.description,
        "params": entry.schema(),
        "entities": entry.entities,
    });
    if let (Some(label), Some(members)) = (listed.connection, shown.as_object_mut()) {
        members.insert("connection".to_owned(), label.into());
    }
    shown
}
