//! Agents and their grants (docs/operating.md#agents). None of these acts leaves a row in the record (r041).
//!
//! Knows the grants only through their handle, which commits an edit and ends the agent's sessions before it answers (r067).

mod preview;
mod request;
mod routes;
mod snippets;
mod view;
mod warnings;

use std::collections::HashMap;

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentKey, AgentName, Grant};
use sextant_actors::grants::Edited;
use sextant_actors::ports::GrantChange;

use self::request::NewAgent;
pub(super) use self::routes::ENDPOINTS;
use self::view::{AgentView, CreatedView, EditedView, EndedView, KeyView};
use super::Parts;
use crate::http::body::Fields;
use crate::http::problem::{Code, Problem};
use crate::store;

type Answer = Result<HttpResponse, Problem>;

async fn list(parts: web::Data<Parts>) -> Answer {
    let agents = views(&parts, parts.grants.list()).await?;
    Ok(HttpResponse::Ok().json(serde_json::json!({ "agents": agents })))
}

async fn show(parts: web::Data<Parts>, name: web::Path<String>) -> Answer {
    let grant = parts.grants.get(&named(&name)?).ok_or_else(not_found)?;
    Ok(HttpResponse::Ok().json(view(&parts, grant).await?))
}

/// The same for every agent: none of them knows a key.
async fn snippets(parts: web::Data<Parts>, name: web::Path<String>) -> Answer {
    parts.grants.get(&named(&name)?).ok_or_else(not_found)?;
    let snippets = snippets::at(&parts.agent_url)?;
    Ok(HttpResponse::Ok().json(serde_json::json!({ "snippets": snippets })))
}

async fn create(parts: web::Data<Parts>, body: Fields) -> Answer {
    let new = NewAgent::parse(body, parts.clock.now())?;
    let key = AgentKey::mint()?;
    let change = GrantChange::Create {
        key: key.digest(),
        sectors: new.sectors,
        expires_at: new.expires_at,
    };
    let edited = parts.grants.edit(new.agent, change).await?;
    let warnings = edited.grant.as_ref().map(|grant| {
        let replaced = edited.replaced.then(|| warnings::replaced(grant));
        replaced.into_iter().chain(warnings::of(grant)).collect()
    });
    Ok(HttpResponse::Created().json(CreatedView {
        key: shown_once(edited, key)?,
        warnings: warnings.unwrap_or_default(),
    }))
}

async fn rotate(parts: web::Data<Parts>, name: web::Path<String>, body: Fields) -> Answer {
    body.finish(&[])?;
    let key = AgentKey::mint()?;
    let change = GrantChange::Rotate { key: key.digest() };
    let edited = parts.grants.edit(named(&name)?, change).await?;
    Ok(HttpResponse::Ok().json(shown_once(edited, key)?))
}

async fn amend(parts: web::Data<Parts>, name: web::Path<String>, body: Fields) -> Answer {
    let change = request::amendment(body, parts.clock.now())?;
    let agent = named(&name)?;
    // Read before the edit: a failure of it may not hide an edit that was made.
    let last_calls = last_calls(&parts, std::slice::from_ref(&agent)).await?;
    let edited = parts.grants.edit(agent, change).await?;
    let sessions_ended = edited.sessions_ended;
    let grant = edited.grant.ok_or_else(not_found)?;
    let live = live_sessions(&parts).await;
    Ok(HttpResponse::Ok().json(EditedView {
        warnings: warnings::of(&grant),
        agent: seen(grant, parts.clock.now(), &last_calls, &live),
        sessions_ended,
    }))
}

async fn revoke(parts: web::Data<Parts>, name: web::Path<String>, body: Fields) -> Answer {
    body.finish(&[])?;
    end(&parts, &name, GrantChange::Revoke).await
}

async fn remove(parts: web::Data<Parts>, name: web::Path<String>, body: Fields) -> Answer {
    body.finish(&[])?;
    end(&parts, &name, GrantChange::Remove).await
}

async fn end(parts: &Parts, name: &str, change: GrantChange) -> Answer {
    let edited = parts.grants.edit(named(name)?, change).await?;
    Ok(HttpResponse::Ok().json(EndedView {
        sessions_ended: edited.sessions_ended,
    }))
}

/// A name that no agent can have is the name of no agent.
fn named(name: &str) -> Result<AgentName, Problem> {
    name.parse().map_err(|_| not_found())
}

fn not_found() -> Problem {
    Problem::new(
        Code::NotFound,
        "no agent has this name; GET /api/agents lists them",
    )
}

fn shown_once(edited: Edited, key: AgentKey) -> Result<KeyView, Problem> {
    let grant = edited.grant.ok_or_else(not_found)?;
    Ok(KeyView {
        name: grant.agent.to_string(),
        sectors: grant.sectors,
        expires_at: grant.expires_at,
        key: key.reveal(),
        replaced: edited.replaced,
        sessions_ended: edited.sessions_ended,
    })
}

async fn view(parts: &Parts, grant: Grant) -> Result<AgentView, Problem> {
    views(parts, vec![grant]).await?.pop().ok_or_else(not_found)
}

async fn views(parts: &Parts, grants: Vec<Grant>) -> Result<Vec<AgentView>, Problem> {
    let names: Vec<_> = grants.iter().map(|grant| grant.agent.clone()).collect();
    let last_calls = last_calls(parts, &names).await?;
    let live = live_sessions(parts).await;
    let now = parts.clock.now();
    Ok(grants
        .into_iter()
        .map(|grant| seen(grant, now, &last_calls, &live))
        .collect())
}

type LastCalls = HashMap<String, DateTime<Utc>>;

async fn last_calls(parts: &Parts, agents: &[AgentName]) -> Result<LastCalls, Problem> {
    let names = agents.iter().map(AgentName::to_string).collect();
    Ok(store::audit_hourly::last_calls(&parts.pool, names).await?)
}

fn seen(
    grant: Grant,
    now: DateTime<Utc>,
    last_calls: &LastCalls,
    live: &HashMap<AgentName, usize>,
) -> AgentView {
    let last_call_at = last_calls.get(grant.agent.as_str()).copied();
    let live_sessions = live.get(&grant.agent).copied().unwrap_or(0);
    AgentView::of(grant, now, last_call_at, live_sessions)
}

async fn live_sessions(parts: &Parts) -> HashMap<AgentName, usize> {
    let mut counts = HashMap::new();
    for session in parts.sessions.list(None).await {
        *counts.entry(session.agent).or_insert(0) += 1;
    }
    counts
}
