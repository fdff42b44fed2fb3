//! One request: it is admitted, the call is served in the agent's session, and the answer passes the session's gate. Nothing of the
//! body is looked at before the key is known.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Map, Value};
use sextant_actors::domain::{AnswerHold, Call, Tool};
use sextant_actors::sessions::{CallError, ClientInfo, CloseReason, Era, Lease};
use tokio_util::sync::CancellationToken;

use super::parts::MirrorParts;
use crate::capacity::Share;
use crate::http::admission::NotAdmitted;
use crate::http::arguments::Arguments;
use crate::http::body;
use crate::http::gated_body::{GatedBody, NoNotice};
use crate::http::problem::{Code, Problem};
use crate::http::served;
use crate::http::wire::{Passage, PassageError};

/// A call whose arguments are the body.
pub(super) async fn serve_posted(
    tool: Tool,
    parts: Data<MirrorParts>,
    request: HttpRequest,
    mut body: Payload,
) -> Result<HttpResponse, Problem> {
    let admitted = match AdmittedCall::admit(&parts, &request).await {
        Ok(admitted) => admitted,
        Err(reason) => {
            body::discard(&mut body).await;
            return Err(reason.into());
        }
    };
    let arguments = Arguments::read(body).await;
    admitted.serve(tool, arguments, &request).await
}

/// A call whose arguments are the parameters.
pub(super) async fn serve_query(
    tool: Tool,
    parts: Data<MirrorParts>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let admitted = AdmittedCall::admit(&parts, &request).await?;
    let arguments = Arguments::of_query(request.query_string());
    admitted.serve(tool, arguments, &request).await
}

/// An admitted request, in its agent's session.
struct AdmittedCall {
    lease: Lease,
    /// Of the mirror, until the answer has been handed over.
    share: Share,
}

impl AdmittedCall {
    async fn admit(parts: &MirrorParts, request: &HttpRequest) -> Result<Self, NotAdmitted> {
        let caller = parts.admission.identify(request.headers())?;
        let share = parts.requests.take(caller.agent(), 1)?;
        let admitted = caller.admit(share);
        let lease = admitted.open(ClientInfo::default(), Era::Mirror).await?;
        Ok(Self {
            lease,
            share: admitted.share,
        })
    }

    /// Serves the call. One that cannot be read was made all the same, and leaves its row (r043).
    async fn serve(
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
        let passage = Passage::open(request, &self.lease).map_err(|blocked| match blocked {
            PassageError::Closed(reason) => ended(reason),
            PassageError::NoConnection => {
                Problem::new(Code::Internal, "the request came over no connection")
            }
        })?;
        let (mut response, text) = match result {
            Ok(json) => (HttpResponse::Ok(), json),
            Err(problem) => (HttpResponse::build(problem.status_code()), problem.json()),
        };
        let held = (self.share, hold);
        let body = GatedBody::new(Full::from(text).boxed(), passage, NoNotice, held);
        Ok(response.content_type("application/json").body(body))
    }
}

/// None of them leaves a row (r070).
impl From<NotAdmitted> for Problem {
    fn from(reason: NotAdmitted) -> Self {
        let code = match reason {
            NotAdmitted::NoKey | NotAdmitted::MalformedKey => Code::Unauthorized,
            NotAdmitted::KeyRefused(_) => Code::Forbidden,
            NotAdmitted::Crowded | NotAdmitted::NoSession(_) => Code::Unavailable,
        };
        Problem::new(code, reason.to_string())
    }
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
