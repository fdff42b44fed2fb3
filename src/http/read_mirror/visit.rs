//! One request: its key is resolved, a place in the agent's session is found, the call is served there, and the answer passes the
//! session's gate. Nothing of the body is looked at before the key is known.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use serde_json::{Map, Value};
use sextant_actors::domain::{AnswerHold, Call, Digest, Ticket, Tool};
use sextant_actors::sessions::{CallError, ClientInfo, CloseReason, Era, Lease, OpenError};
use tokio_util::sync::CancellationToken;

use super::MirrorParts;
use super::gated::GatedAnswer;
use super::places::Place;
use crate::http::agent_key::{Presented, presented};
use crate::http::arguments::Arguments;
use crate::http::body;
use crate::http::problem::{Code, Problem};
use crate::http::served;
use crate::http::wire::Passage;

/// A call whose arguments are the body.
pub async fn posted(
    tool: Tool,
    parts: Data<MirrorParts>,
    request: HttpRequest,
    mut body: Payload,
) -> Result<HttpResponse, Problem> {
    let visit = match Visit::begin(&parts, &request).await {
        Ok(visit) => visit,
        Err(problem) => {
            body::discard(&mut body).await;
            return Err(problem);
        }
    };
    let arguments = Arguments::read(body).await;
    visit.call(tool, arguments, &request).await
}

/// A call whose arguments are the parameters.
pub async fn asked(
    tool: Tool,
    parts: Data<MirrorParts>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let visit = Visit::begin(&parts, &request).await?;
    let arguments = Arguments::of_query(request.query_string());
    visit.call(tool, arguments, &request).await
}

/// An admitted request.
struct Visit {
    lease: Lease,
    place: Place,
}

impl Visit {
    async fn begin(parts: &MirrorParts, request: &HttpRequest) -> Result<Self, Problem> {
        let digest = key_of(request)?;
        let ticket = resolve(parts, &digest)?;
        let place = parts.places.enter(&ticket.agent)?;
        let lease = open(parts, &digest, ticket).await?;
        Ok(Self { lease, place })
    }

    /// Serves the call. One that cannot be read was made all the same, and leaves its row (r043).
    async fn call(
        self,
        tool: Tool,
        arguments: Result<Arguments, Problem>,
        request: &HttpRequest,
    ) -> Result<HttpResponse, Problem> {
        let call = |arguments| Call {
            tool: tool.name().to_owned(),
            arguments,
            request_id: None,
        };
        let arguments = match arguments {
            Ok(Arguments(arguments)) => arguments,
            Err(problem) => {
                self.lease
                    .record_misread(&call(Value::Object(Map::new())))
                    .await;
                return Err(problem);
            }
        };
        // Dropping the future, when the client goes away, abandons the call.
        let served = self.lease.call(call(arguments), CancellationToken::new());
        let served = served.await.map_err(unanswered)?;
        let hold = served.hold.clone();
        self.answer(served::result(served), hold, request)
    }

    /// The answer behind the gate, a fault as well: it may repeat what was read.
    fn answer(
        self,
        result: Result<String, Problem>,
        hold: AnswerHold,
        request: &HttpRequest,
    ) -> Result<HttpResponse, Problem> {
        if let Some(reason) = self.lease.gate().state() {
            return Err(ended(reason));
        }
        let passage = Passage::new(request, &self.lease)
            .ok_or_else(|| Problem::new(Code::Internal, "the request came over no connection"))?;
        let (mut response, text) = match result {
            Ok(json) => (HttpResponse::Ok(), json),
            Err(problem) => (HttpResponse::build(problem.status_code()), problem.json()),
        };
        Ok(response
            .content_type("application/json")
            .body(GatedAnswer::new(text, passage, self.place, hold)))
    }
}

/// Neither refusal leaves a row (r070).
fn key_of(request: &HttpRequest) -> Result<Digest, Problem> {
    match presented(request.headers()) {
        Presented::Key(digest) => Ok(digest),
        Presented::Nothing | Presented::Malformed => Err(Problem::new(
            Code::Unauthorized,
            "send the agent's key as `Authorization: Bearer <key>`",
        )),
    }
}

fn resolve(parts: &MirrorParts, digest: &Digest) -> Result<Ticket, Problem> {
    parts
        .grants
        .resolve(digest)
        .map_err(|refusal| Problem::new(Code::Forbidden, format!("the key is refused: {refusal}")))
}

/// The agent's session. A grant that was edited since the key was resolved is resolved once more.
async fn open(parts: &MirrorParts, digest: &Digest, ticket: Ticket) -> Result<Lease, Problem> {
    let client = ClientInfo::default();
    let open = |ticket| parts.sessions.open(ticket, client.clone(), Era::Mirror);
    let opened = match open(ticket).await {
        Err(OpenError::GrantChanged) => open(resolve(parts, digest)?).await,
        settled => settled,
    };
    opened.map_err(|error| Problem::new(Code::Unavailable, format!("{error}: retry shortly")))
}

fn unanswered(error: CallError) -> Problem {
    match error {
        CallError::Closed(reason) => ended(reason),
        CallError::Cancelled => Problem::new(
            Code::Unavailable,
            "the call took too long and was ended: ask for less, or retry later",
        ),
    }
}

fn ended(reason: CloseReason) -> Problem {
    Problem::new(
        Code::Unavailable,
        match reason {
            CloseReason::GrantChanged => "grant changed, retry",
            CloseReason::Ended | CloseReason::Idle => "the session has ended, retry",
            CloseReason::Stopped => "the service is stopping, retry later",
        },
    )
}
