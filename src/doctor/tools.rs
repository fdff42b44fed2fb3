//! What a hosted agent does once it has a token: it lists the tools. Once its agent is revoked, it is refused.

use serde_json::{Value, json};
use sextant_actors::domain::Tool;
use sextant_connectors::guard::PublicProbe;

use super::asking::{PublicAnswer, PublicQuestion, unanswered};
use super::finding::{Seen, StepVerdict, Trouble};

/// Where agents are served.
pub(super) const AGENT_PATH: &str = "/mcp";
const PROTOCOL: &str = "2026-07-28";
const METHOD: &str = "tools/list";

/// A stateless call that lists the tools, with this token if there is one.
pub(super) fn calling<'a>(probe: &'a PublicProbe, token: Option<&str>) -> PublicQuestion<'a> {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": METHOD,
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": PROTOCOL,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        }
    });
    let question = PublicQuestion::post_json(probe, AGENT_PATH, &call)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", PROTOCOL)
        .header("mcp-method", METHOD);
    match token {
        Some(token) => question.header("authorization", &format!("Bearer {token}")),
        None => question,
    }
}

pub(super) async fn are_listed(probe: &PublicProbe, token: &str) -> StepVerdict {
    let answer = calling(probe, Some(token)).ask().await;
    judge_list(&answer.map_err(|failure| unanswered(&failure))?)
}

fn judge_list(answer: &PublicAnswer) -> StepVerdict {
    let tools = named(&answer.json());
    let expected = Tool::ALL.len();
    match answer.status {
        200 if tools.is_some_and(|count| count == expected) => {
            Ok(Seen::well(format!("All {expected} tools are told.")))
        }
        401 => Err(Trouble::new(
            "A token that was just given out is refused: the header Authorization is lost on the way, or changed.",
            "Have whatever stands in front of the agent port pass that header on, and ask for no login of its own.",
        )),
        _ => Err(Trouble::new(
            format!(
                "The list of tools is not answered as it should be ({}).",
                answer.described()
            ),
            "Have whatever stands in front of the agent port pass requests and answers on as they are.",
        )),
    }
}

/// How many tools an answer names.
fn named(body: &Value) -> Option<usize> {
    body.get("result")?.get("tools")?.as_array().map(Vec::len)
}

pub(super) async fn are_refused(probe: &PublicProbe, token: &str) -> StepVerdict {
    let answer = calling(probe, Some(token)).ask().await;
    judge_refusal(&answer.map_err(|failure| unanswered(&failure))?)
}

fn judge_refusal(answer: &PublicAnswer) -> StepVerdict {
    match answer.status {
        401 => Ok(Seen::well(
            "The token was refused as soon as its agent was revoked.",
        )),
        _ => Err(Trouble::new(
            format!(
                "A token is answered ({}) after its agent was revoked: something on the way keeps answers.",
                answer.described()
            ),
            "Let nothing in front of the agent port keep answers.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, tools: usize) -> PublicAnswer {
        let tools = vec![json!({ "name": "x" }); tools];
        let text = json!({ "result": { "tools": tools } }).to_string();
        PublicAnswer {
            status,
            text,
            ..PublicAnswer::default()
        }
    }

    #[test]
    fn all_tools_are_told_or_it_says_why_not() {
        let told = |answer| super::super::finding::tests::told(judge_list(&answer));
        assert_eq!(told(answer(200, 7)).0, "passed");
        assert_eq!(told(answer(200, 6)).0, "failed");
        assert!(told(answer(401, 0)).1.contains("Authorization"));
        assert!(told(answer(502, 0)).1.contains("502"));
    }

    #[test]
    fn a_revoked_agent_is_refused() {
        let told = |answer| super::super::finding::tests::told(judge_refusal(&answer));
        assert_eq!(told(answer(401, 0)).0, "passed");
        assert_eq!(told(answer(200, 7)).0, "failed");
    }
}
