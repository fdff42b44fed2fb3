//! What an answer of the ingest route means, and whether to ask again (docs/pushing.md#answers). Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::error::PushError;
use crate::intake::{BatchOutcome, FieldProblem, RecordOutcome, StoredBatch};

/// How often a batch is sent before the push gives up.
pub(super) const ATTEMPTS_MAX: u32 = 6;
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two attempts, whatever the server asks for.
const WAIT_MAX: Duration = Duration::from_secs(30);

const TOO_LARGE: &str =
    "the record is larger than the server takes; raise INGEST_MAX_BODY_MB there";

/// What came back for one batch.
#[derive(Debug)]
pub(super) struct PushReply {
    pub status: u16,
    pub body: Vec<u8>,
    /// The `Retry-After` header.
    pub retry_after: Option<Duration>,
}

/// The next step after a reply.
#[derive(Debug)]
pub(super) enum NextStep {
    Done(BatchOutcome),
    /// Send again after this time; if there is no attempt left, give up with this error.
    Again(Duration, PushError),
    Stop(PushError),
}

#[derive(Deserialize)]
struct PushAnswer {
    outcomes: Vec<RecordOutcome>,
    #[serde(default)]
    rejected: Vec<IndexedProblem>,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct IndexedProblem {
    index: usize,
    #[serde(flatten)]
    problem: FieldProblem,
}

#[derive(Deserialize, Default)]
struct Failure {
    message: Option<String>,
    #[serde(default)]
    problems: Vec<IndexedProblem>,
}

/// `attempt` counts from 0; `connection` is named in messages.
pub(super) fn judge(reply: &PushReply, connection: &str, attempt: u32) -> NextStep {
    match reply.status {
        200 => judge_stored(&reply.body),
        401 => NextStep::Stop(PushError::Server(format!(
            "the server refused the secret of connection {connection}, or the connection is paused: check both in the Console, \
             which can also give it a new secret"
        ))),
        413 => NextStep::Done(BatchOutcome::TooLarge(TOO_LARGE)),
        400 | 415 | 422 => NextStep::Done(BatchOutcome::Refused(reason_of(&reply.body))),
        429 | 500..=599 => {
            let wait = reply
                .retry_after
                .unwrap_or_else(|| wait_before(attempt))
                .min(WAIT_MAX);
            NextStep::Again(
                wait,
                PushError::Server(unavailable(reply.status, &reply.body)),
            )
        }
        status => NextStep::Stop(PushError::Server(format!(
            "the server answered {status} to the push: is this the address of Sextant's Console port?"
        ))),
    }
}

/// The wait after the attempt of this number, counted from 0.
pub(super) fn wait_before(attempt: u32) -> Duration {
    FIRST_WAIT
        .saturating_mul(2_u32.saturating_pow(attempt))
        .min(WAIT_MAX)
}

fn judge_stored(body: &[u8]) -> NextStep {
    let Ok(answer) = serde_json::from_slice::<PushAnswer>(body) else {
        return NextStep::Stop(PushError::Server(
            "the server's answer to the push cannot be read".to_owned(),
        ));
    };
    NextStep::Done(BatchOutcome::Stored(StoredBatch {
        outcomes: answer.outcomes,
        rejected: by_index(answer.rejected),
        notes: answer.notes,
    }))
}

fn by_index(problems: Vec<IndexedProblem>) -> BTreeMap<usize, Vec<FieldProblem>> {
    let mut by_index = BTreeMap::<usize, Vec<FieldProblem>>::new();
    for IndexedProblem { index, problem } in problems {
        by_index.entry(index).or_default().push(problem);
    }
    by_index
}

fn reason_of(body: &[u8]) -> String {
    // A body that is not the service's own gives no reason, which the sentence says.
    let failure = serde_json::from_slice::<Failure>(body).unwrap_or_default();
    let problem = failure.problems.first();
    let problem = problem.map(|placed| placed.problem.sentence(None));
    problem
        .or(failure.message)
        .unwrap_or_else(|| "the server refused the batch without a reason".to_owned())
}

fn unavailable(status: u16, body: &[u8]) -> String {
    // A body that is not the service's own has no message: the status stays.
    let failure = serde_json::from_slice::<Failure>(body).unwrap_or_default();
    // Without a message the status is all there is.
    let said = failure
        .message
        .map(|message| format!(" ({message})"))
        .unwrap_or_default();
    format!(
        "the server cannot store now: {status}{said}. What was sent is stored; run the same push again later, nothing is stored twice"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn judged(status: u16, body: Value) -> NextStep {
        let reply = PushReply {
            status,
            body: body.to_string().into_bytes(),
            retry_after: None,
        };
        judge(&reply, "c1", 0)
    }

    #[test]
    fn a_stored_batch_lists_what_was_rejected_once_a_record() {
        let problem = |index: usize, field: Value, message: &str| json!({"index": index, "field": field, "message": message});
        let rejected = [
            problem(3, json!("amount"), "is missing"),
            problem(1, Value::Null, "no"),
            problem(3, json!("booked_on"), "is late"),
        ];
        let outcomes = ["inserted", "rejected", "deleted", "rejected"];
        let body = json!({"upserted": 1, "outcomes": outcomes, "rejected": rejected});
        let NextStep::Done(BatchOutcome::Stored(stored)) = judged(200, body) else {
            panic!("not stored")
        };
        let (inserted, gone) = (RecordOutcome::Inserted, RecordOutcome::Deleted);
        assert_eq!(
            stored.outcomes[..3],
            [inserted, RecordOutcome::Rejected, gone]
        );
        let told = |index: usize| -> Vec<String> {
            let problems = stored.rejected[&index].iter();
            problems.map(|problem| problem.sentence(None)).collect()
        };
        assert_eq!(stored.rejected.keys().collect::<Vec<_>>(), [&1, &3]);
        assert_eq!(told(1), ["no"]);
        assert_eq!(told(3), ["amount: is missing", "booked_on: is late"]);
        let late = &stored.rejected[&3][1];
        let sentence = late.sentence(Some("`x`".to_owned()));
        assert_eq!(sentence, "booked_on `x`: is late");
    }

    #[test]
    fn each_refusal_says_what_to_do() {
        let NextStep::Stop(error) = judged(401, json!({"error": "unauthorized"})) else {
            panic!("401 goes on")
        };
        assert!(
            error.to_string().contains("secret of connection c1")
                && error.to_string().contains("Console")
        );
        assert!(matches!(
            judged(413, json!({})),
            NextStep::Done(BatchOutcome::TooLarge(TOO_LARGE))
        ));
        let invalid = json!({"error": "invalid", "problems": [{"index": 0, "field": "amount", "message": "is missing"}]});
        assert!(
            matches!(judged(400, invalid), NextStep::Done(BatchOutcome::Refused(reason)) if reason == "amount: is missing")
        );
        assert!(matches!(judged(404, json!({})), NextStep::Stop(_)));
    }

    #[test]
    fn an_unavailable_server_is_asked_again_within_limits() {
        let NextStep::Again(wait, error) = judged(503, json!({"message": "database down"})) else {
            panic!("503 does not go on")
        };
        assert_eq!(wait, FIRST_WAIT);
        assert!(
            error.to_string().contains("503 (database down)")
                && error.to_string().contains("nothing is stored twice")
        );
        let patient = PushReply {
            status: 503,
            body: Vec::new(),
            retry_after: Some(Duration::from_secs(3600)),
        };
        assert!(matches!(judge(&patient, "c1", 0), NextStep::Again(wait, _) if wait == WAIT_MAX));
        assert!((0..100).map(wait_before).all(|wait| wait <= WAIT_MAX));
    }
}
