//! A call that is served without rmcp is answered as rmcp answers it: the same messages go to two servers over the same actors, one of
//! which passes everything to rmcp, and status, headers, body and audit row are compared.

mod corpus;
mod message;
mod messages;
mod streams;

use std::sync::Arc;

use serde_json::json;
use sextant::http::mcp::tools;
use sextant_actors::audit::AuditEntry;
use sextant_actors::domain::{
    AnswerHold, Call, Caller, Decision, EscapedText, Obstacle, Outcome, Reply, Sector, Served,
};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::{PortFuture, ToolCalls};

use self::message::Message;
use self::messages::{deviating, random, well_formed};
use super::support::{Client, Port, TestToolService, json_of};

/// Replies as the arguments say.
struct Obedient(Arc<TestToolService>);

impl ToolCalls for Obedient {
    fn sector_of(&self, call: &Call) -> Option<Sector> {
        self.0.sector_of(call)
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        let text = || call.arguments["text"].as_str().unwrap_or("").to_owned();
        let reply = match call.arguments["reply"].as_str() {
            Some("answer") => Reply::Answer(EscapedText::of(&text())),
            Some("fault") => Reply::Fault(text()),
            Some("busy") => Reply::Failure(Obstacle::Busy, text()),
            Some("database") => Reply::Failure(Obstacle::Database, text()),
            _ => return self.0.serve(caller, call),
        };
        let served = Served {
            decision: Decision::Allow,
            outcome: Some(Outcome::Error),
            sector: None,
            count: None,
            reply,
            hold: AnswerHold::default(),
        };
        Box::pin(async move { served })
    }
}

#[actix_web::test]
async fn r043_calls_served_without_rmcp_are_answered_and_recorded_as_by_rmcp() {
    let around = |tools: Arc<TestToolService>| Arc::new(Obedient(tools)) as Arc<dyn ToolCalls>;
    let port = Port::start_offering(tools::all(), TreeLimits::default(), around).await;
    let rmcp = port.passing_to_rmcp();
    let agent = port.agent("claude", &["finance", "health"]).await;
    let other = Client::new(&rmcp.url, agent.key.clone());
    let count = || port.direct_calls.count();

    let mut both = [Vec::new(), Vec::new()];
    for (client, answers) in [&agent, &other].into_iter().zip(&mut both) {
        let before = count();
        for message in well_formed() {
            answers.push((message.answer(client).await, message));
        }
        let direct = usize::try_from(count() - before).unwrap();
        let expected = if std::ptr::eq(client, &agent) {
            well_formed().len()
        } else {
            0
        };
        assert_eq!(direct, expected);
        let before = count();
        for message in deviating() {
            answers.push((message.answer(client).await, message.clone()));
            assert_eq!(count(), before, "a deviation is rmcp's: {message:?}");
        }
        for message in random() {
            answers.push((message.answer(client).await, message));
        }
        let session = client.session().await;
        for id in 1..4 {
            let call = client.session_call(&session, "query", json!({ "limit": id }));
            assert_eq!(json_of(call).await.0, 200);
        }
        let last = Message::call(json!("last"), "describe_context", json!({}));
        answers.push((last.answer(client).await, last));
    }
    let [direct, passed] = both;
    assert_eq!(direct.len(), passed.len());
    for ((direct, message), (passed, _)) in direct.iter().zip(&passed) {
        let body = String::from_utf8_lossy(&message.body);
        assert_eq!(direct, passed, "{:?} {body}", message.headers);
    }

    let mut rows = Vec::new();
    while rows.iter().filter(|row| is_last(row)).count() < 2 {
        rows = port.audit.wait_for(rows.len() + 1).await;
    }
    let end = rows.iter().position(is_last).unwrap() + 1;
    let (direct, passed) = rows.split_at(end);
    assert_eq!(direct, passed);
    rmcp.stop().await;
    port.stop().await;
}

fn is_last(row: &AuditEntry) -> bool {
    row.request_id.as_deref() == Some("last")
}
