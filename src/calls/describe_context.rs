//! `describe_context`: the agent's name and grant, the time, and how fresh each source is.

use serde_json::{Map, Value, json};
use sextant_actors::domain::{EscapedText, Sector};

use super::context::CallContext;
use super::verdict::{CallFailure, ToolAnswer};
use crate::catalog::{self, Table};
use crate::query::arguments::{object, refuse_unknown};
use crate::query::cell::rfc3339;
use crate::query::effort::Effort;
use crate::query::fault::CallFault;
use crate::query::sources::ConnectedSource;

pub(super) fn read(arguments: &Value) -> Result<(), CallFault> {
    refuse_unknown(object(arguments)?, &[])
}

pub(super) async fn run(context: &CallContext<'_>) -> Result<ToolAnswer, CallFailure> {
    let granted: Vec<Sector> = context.caller.sectors.iter().collect();
    let sources = read_sources(context, &granted).await?;
    let freshness: Map<String, Value> = granted
        .iter()
        .map(|sector| {
            (
                sector.name().to_owned(),
                freshness(context, *sector, &sources),
            )
        })
        .collect();
    let agent = context.caller.agent.as_ref();
    let answer = json!({
        "sectors": granted,
        "now": rfc3339(context.time.now),
        "timezone": context.time.zone.name(),
        "agent": {
            "name": agent.map_or("operator", |agent| agent.as_str()),
            "expires_at": context.caller.expires_at.map(rfc3339),
        },
        "freshness": freshness,
    });
    Ok(ToolAnswer {
        text: EscapedText::of(&answer.to_string()),
        count: Some(granted.len()),
    })
}

/// A grant of nothing needs no database (r064).
async fn read_sources(
    context: &CallContext<'_>,
    granted: &[Sector],
) -> Result<Vec<ConnectedSource>, CallFailure> {
    if granted.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = context.reader(Effort::Cheap).await?;
    Ok(context
        .sources(&mut reader, granted.iter().copied())
        .await?)
}

fn freshness(context: &CallContext<'_>, sector: Sector, sources: &[ConnectedSource]) -> Value {
    let own = sources
        .iter()
        .filter(|source| source.sector == sector.name());
    let now = context.time.now;
    let connections: Vec<Value> = own.map(|source| source.to_context_json(now)).collect();
    let targets: Vec<String> = catalog::sector(sector).iter().map(Table::target).collect();
    json!({"connections": connections, "targets": targets})
}
