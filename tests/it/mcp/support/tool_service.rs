//! A tool service that answers without data: enough to see how the transport handles each kind of reply.

use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Value, json};
use sextant_actors::domain::{
    AnswerHold, Call, Caller, Decision, EscapedText, Outcome, Reply, Sector, Served,
};
use sextant_actors::ports::{PortFuture, ToolCalls};
use tokio::sync::Semaphore;

/// The target of a call that never returns by itself.
const ENDLESS: &str = "health.days";

/// The target of a call whose answer does not fit into the sockets' buffers.
const HUGE: &str = "finance.holdings";
const HUGE_BYTES: usize = 16 * 1024 * 1024;

pub struct TestToolService {
    /// One permit for each endless call that has begun.
    begun: Arc<Semaphore>,
    /// One permit for each endless call that was abandoned.
    abandoned: Arc<Semaphore>,
}

impl Default for TestToolService {
    fn default() -> Self {
        Self {
            begun: Arc::new(Semaphore::new(0)),
            abandoned: Arc::new(Semaphore::new(0)),
        }
    }
}

impl TestToolService {
    /// The arguments of a call that never returns by itself.
    pub fn endless() -> Value {
        json!({ "target": ENDLESS })
    }

    /// The arguments of a call with a huge answer.
    pub fn huge() -> Value {
        json!({ "target": HUGE })
    }

    /// Waits until an endless call has begun.
    pub async fn wait_for_call(&self) {
        super::soon("a call begins", self.begun.acquire())
            .await
            .unwrap()
            .forget();
    }

    /// Waits until an endless call was abandoned.
    pub async fn wait_for_abandonment(&self) {
        super::soon("a call is abandoned", self.abandoned.acquire())
            .await
            .unwrap()
            .forget();
    }
}

struct Abandon(Arc<Semaphore>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.add_permits(1);
    }
}

impl ToolCalls for TestToolService {
    fn sector_of(&self, call: &Call) -> Option<Sector> {
        let target = call.arguments.get("target")?.as_str()?;
        Sector::from_str(target.split('.').next()?).ok()
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        let sector = self.sector_of(&call);
        if call.arguments.get("target").and_then(Value::as_str) == Some(ENDLESS) {
            let abandon = Abandon(self.abandoned.clone());
            self.begun.add_permits(1);
            return Box::pin(async move {
                let _abandon = abandon;
                std::future::pending().await
            });
        }
        Box::pin(async move { reply(&caller, &call, sector) })
    }
}

fn reply(caller: &Caller, call: &Call, sector: Option<Sector>) -> Served {
    let granted = sector.is_none_or(|sector| caller.sectors.contains(sector));
    match call.tool.as_str() {
        "describe_context" => allowed(None, context(caller)),
        "query" if call.arguments == TestToolService::huge() => {
            allowed(sector, "x".repeat(HUGE_BYTES))
        }
        "query" if granted => allowed(sector, call.arguments.to_string()),
        "query" => denied(sector),
        other => Served {
            decision: Decision::Allow,
            outcome: Some(Outcome::Error),
            sector: None,
            count: None,
            reply: Reply::UnknownTool(other.to_owned()),
            hold: AnswerHold::default(),
        },
    }
}

fn context(caller: &Caller) -> String {
    let sectors: Vec<&str> = caller.sectors.iter().map(Sector::name).collect();
    json!({ "sectors": sectors }).to_string()
}

fn allowed(sector: Option<Sector>, json: String) -> Served {
    Served {
        decision: Decision::Allow,
        outcome: Some(Outcome::Ok),
        sector,
        count: Some(1),
        reply: Reply::Answer(EscapedText::of(&json)),
        hold: AnswerHold::default(),
    }
}

fn denied(sector: Option<Sector>) -> Served {
    let words = format!("access denied: {}", sector.map_or("?", Sector::name));
    Served {
        decision: Decision::Deny(words.clone().into()),
        outcome: None,
        sector,
        count: None,
        reply: Reply::Fault(words),
        hold: AnswerHold::default(),
    }
}
