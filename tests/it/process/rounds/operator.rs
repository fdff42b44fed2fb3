//! The operator: edits agents without a pause, and checks after each edit that sessions under the old grant have
//! ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_postgres::{Client as Database, Row};

use super::caller::{initialize, stateless_sectors};
use super::chance::Chance;
use super::grants::{Edit, Grants, StoredGrant};
use super::load::Reach;
use super::tally::{Fact, Tally};
use crate::mcp::support::client::Client;
use crate::support::eventually::eventually;

const AGENTS: [&str; 6] = ["anna", "boris", "clara", "dora", "emil", "frida"];
const SECTORS: [&str; 6] = ["finance", "mail", "calendar", "contacts", "health", "home"];

#[derive(Default)]
pub struct Operator {
    grants: Grants,
}

/// The outcome of an edit.
enum Answer {
    Made(Value),
    Unknown,
    Gone,
}

impl Operator {
    pub async fn work(mut self, reach: Reach, tally: Arc<Tally>, mut chance: Chance) -> Self {
        while !tally.is_over() {
            let certain = AGENTS
                .iter()
                .filter(|agent| !self.grants.is_in_doubt(agent));
            let certain: Vec<_> = certain.copied().collect();
            if certain.is_empty() {
                reach.recovery(&tally).await;
                if tally.was_cut() {
                    return self;
                }
                tokio::task::yield_now().await;
                continue;
            }
            let agent = *chance.one_of(&certain);
            let edit = self.choose(agent, &mut chance);
            let live = self.open(agent, &reach).await;
            match ask(&reach, agent, &edit).await {
                Answer::Made(made) => {
                    let key = made["key"].as_str().map(str::to_owned);
                    self.grants.acknowledge(agent, &edit, key);
                    if let Some(live) = live {
                        live.is_over(&edit, self.grants.dead().contains(&live.key))
                            .await;
                    }
                    tally.count(Fact::EditAcknowledged);
                }
                Answer::Unknown => self.grants.doubt(agent, edit),
                Answer::Gone => {
                    self.grants.doubt(agent, edit);
                    tally.cut();
                    return self;
                }
            }
        }
        self
    }

    fn choose(&self, agent: &str, chance: &mut Chance) -> Edit {
        let sectors = SECTORS.iter().filter(|_| chance.below(2) == 0);
        let sectors: Vec<String> = sectors.map(|sector| (*sector).to_owned()).collect();
        if self.grants.get(agent).is_none() {
            return Edit::Create(sectors);
        }
        match chance.below(6) {
            0 => Edit::Create(sectors),
            1 | 2 => Edit::Rotate,
            3 => Edit::Revoke,
            4 => Edit::Remove,
            _ => Edit::Sectors(sectors),
        }
    }

    /// A session under the grant that is about to be edited, if one can be opened.
    async fn open(&self, agent: &str, reach: &Reach) -> Option<Live> {
        let key = self.grants.get(agent)?.key.clone()?;
        let opened = initialize(reach, &key).await.ok()?;
        let session = opened
            .headers()
            .get("mcp-session-id")?
            .to_str()
            .ok()?
            .to_owned();
        Some(Live {
            client: Client::new(&reach.agents, Some(key.clone())),
            session,
            key,
        })
    }

    /// Asserts that every acknowledged edit holds: in the table, and for requests with a key.
    pub async fn check(&mut self, database: &Database, reach: &Reach) {
        let rows = database.query(GRANTS, &[&AGENTS.as_slice()]).await.unwrap();
        self.grants
            .compare(&rows.iter().map(read).collect::<BTreeMap<_, _>>());
        for (key, grant) in self.grants.live() {
            // A service that lost its database during the edit refuses the agent until it has read the grant again.
            eventually("a grant in force lets its agent in", async || {
                stateless_sectors(reach, key).await.as_ref() == Some(&json!(grant.sectors))
            })
            .await;
        }
        for key in self.grants.dead() {
            let answer = initialize(reach, key).await.unwrap().status();
            assert!(is_refusal(answer), "a dead key is answered {answer}");
        }
    }
}

const GRANTS: &str =
    "SELECT name, key_hash, sectors, revoked_at IS NOT NULL FROM agents WHERE name = ANY($1)";

fn read(row: &Row) -> (String, StoredGrant) {
    let stored = StoredGrant {
        hash: row.get(1),
        sectors: row.get(2),
        is_revoked: row.get(3),
    };
    (row.get(0), stored)
}

fn is_refusal(status: StatusCode) -> bool {
    status == StatusCode::UNAUTHORIZED || status == StatusCode::FORBIDDEN
}

async fn ask(reach: &Reach, agent: &str, edit: &Edit) -> Answer {
    let path = format!("/api/agents/{agent}");
    let request = match edit {
        Edit::Create(sectors) => reach
            .request(Method::POST, "/api/agents")
            .json(&json!({ "name": agent, "sectors": sectors })),
        Edit::Rotate => reach.request(Method::POST, &format!("{path}/rotate")),
        Edit::Revoke => reach.request(Method::POST, &format!("{path}/revoke")),
        Edit::Remove => reach.request(Method::DELETE, &path),
        Edit::Sectors(sectors) => reach
            .request(Method::PATCH, &path)
            .json(&json!({ "sectors": sectors })),
    };
    let Ok(answer) = request.send().await else {
        return Answer::Gone;
    };
    match answer.status().as_u16() {
        503 => Answer::Unknown,
        // An answer that is cut short contains no key.
        200 | 201 => answer.json().await.map_or(Answer::Gone, Answer::Made),
        status => panic!("{edit:?} of {agent} is answered {status}"),
    }
}

/// A session that was opened before an edit.
struct Live {
    client: Client,
    session: String,
    key: String,
}

impl Live {
    /// r067: after the edit's answer the session is over, and a key that the edit took away opens no other. Asserts
    /// nothing when the service itself is gone.
    async fn is_over(&self, edit: &Edit, is_dead: bool) {
        let ping = self.client.in_session(&self.session, "ping", json!({}));
        if let Ok(answer) = ping.send().await {
            let status = answer.status();
            assert!(
                is_refusal(status) || status == StatusCode::NOT_FOUND,
                "after {edit:?} a session goes on: {status}"
            );
        }
        if is_dead && let Ok(answer) = self.client.initialize("2025-11-25").send().await {
            assert!(
                is_refusal(answer.status()),
                "after {edit:?} its key is answered {}",
                answer.status()
            );
        }
    }
}
