//! `GET /api/events`: what has changed, as server-sent events (WHATWG HTML, server-sent events), for the Console's page.
//!
//! An event names what changed and holds nothing of the data: whoever shows it reads it again. Nothing reports to this room: while a
//! stream is open, one task looks at what the service publishes in memory anyway, twice a second, and sends the difference. So no
//! call, push or edit waits for a reader, and what comes in bursts is one event.
//!
//! | event | data | when |
//! |---|---|---|
//! | `audit` | `{"count","lastId"}` | rows of the audit log were committed |
//! | `connection` | `{"id"}` | a connection was made, changed, pushed to or removed |
//! | `agent` | `{"name"}` | a grant was made, edited or removed |
//! | `agent.sessions` | `{"name","count"}` | the number of an agent's live sessions changed |
//! | `actor` | `{"id","state","restarts"}` | a part of the service changed its state |
//! | `exposure` | `{"url"}` | the public address of the agent port was set, changed or cleared |
//! | `attention` | `{"count"}` | other things need the operator than before |
//! | `reload` | – | the reader was too slow and has missed events |
//! | `ping` | – | nothing else for 5 s |

mod console_event;
mod reading;
mod stream;
mod streams;
mod watch;

use actix_web::http::header;
use actix_web::{HttpResponse, web};

use super::Parts;
use crate::http::endpoint::{Endpoint, RouteAnswer, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema::text;

pub use streams::EventStreams;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/events",
    "What changes, as server-sent events that name it and hold nothing of the data.",
    || web::to(open),
)
.answers(&[RouteAnswer {
    status: 200,
    media: "text/event-stream",
    schema: text,
}])
.refuses(&[Code::RateLimited, Code::Unavailable])];

async fn open(parts: web::Data<Parts>) -> Result<HttpResponse, Problem> {
    let events = parts.events.open()?;
    watch::start_unless_running(&parts).await;
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .streaming(stream::of(events)))
}
