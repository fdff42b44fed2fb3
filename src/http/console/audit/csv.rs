//! `GET /api/audit.csv`: the audit log as a file (docs/operating.md#reading-the-audit; r046), which leaves no row (r041).
//!
//! A task reads slices and writes lines; the answer takes them as the caller does. Between the two lies a queue of two pieces, so
//! that memory is bounded however long the audit log is. A caller who leaves or takes nothing for a while ends the task, and with
//! it the database's connection is free again. What is cut short ends in an error, so that it cannot pass for the whole.

mod line;

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::stream::{self, Stream};
use tokio::sync::mpsc;
use tokio::time::timeout;

use self::line::CsvLines;
use super::filter::RowFilter;
use crate::capacity::Slot;
use crate::db::{ServicePool, StoreError};
use crate::http::console::Parts;
use crate::http::endpoint::{Endpoint, RouteAnswer, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::http::wire::in_flight::allow_stall;
use crate::store::audit_read::{self, AuditFilter, AuditRow};

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/audit.csv",
    "The record as CSV, newest first: all of it, or all that passes the filters.",
    || web::to(send),
)
.takes_query(request::parameters::<RowFilter>)
.answers(&[RouteAnswer {
    status: 200,
    media: "text/csv",
    schema: schema::text,
}])
.refuses(&[Code::Internal, Code::Unavailable]);

/// How many such files are made at once: each holds a connection of the service's pool.
pub const AT_ONCE_MAX: usize = 2;
/// Pieces that wait for the caller.
const PIECES_WAITING_MAX: usize = 2;
/// The most bytes of a piece, by a line.
const PIECE_BYTES: usize = 64 * 1024;

/// What is sent to the caller.
enum Piece {
    Lines(Bytes),
    /// The last line has been sent.
    End,
}

type Pieces = mpsc::Receiver<Result<Piece, StoreError>>;

/// The reading task's end of the queue.
struct Queue {
    sender: mpsc::Sender<Result<Piece, StoreError>>,
    /// The longest that the caller may take nothing.
    stall_max: Duration,
}

impl Queue {
    /// Sends a piece; false when the caller has left or did not take it in time.
    async fn send(&self, piece: Result<Piece, StoreError>) -> bool {
        let sent = timeout(self.stall_max, self.sender.send(piece)).await;
        matches!(sent, Ok(Ok(())))
    }
}

/// The file ends before the audit log does.
#[derive(Debug)]
struct FileCutShort;

impl fmt::Display for FileCutShort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the record could not be read to its end")
    }
}

impl std::error::Error for FileCutShort {}

async fn send(
    parts: web::Data<Parts>,
    request: HttpRequest,
    FromQuery(filter): FromQuery<RowFilter>,
) -> Result<HttpResponse, Problem> {
    let filter = filter.parse()?;
    let slot = parts.csv_slots.try_take().ok_or_else(crowded)?;
    allow_stall(&request, parts.reads.file_stall_max);
    let (sender, mut pieces) = mpsc::channel(PIECES_WAITING_MAX);
    let queue = Queue {
        sender,
        stall_max: parts.reads.file_stall_max,
    };
    actix_web::rt::spawn(read(parts.pool.clone(), filter, queue, slot));
    // A database that cannot be read at all is answered as a problem, as on every route.
    let first = match pieces.recv().await {
        Some(first) => first?,
        None => return Err(StoreError::Busy.into()),
    };
    let today = parts.clock.now().with_timezone(&parts.zone).date_naive();
    let name = format!("attachment; filename=\"sextant-audit-{today}.csv\"");
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8; header=present")
        .insert_header((header::CONTENT_DISPOSITION, name))
        .streaming(body(first, pieces)))
}

fn crowded() -> Problem {
    Problem::new(
        Code::Unavailable,
        format!("{AT_ONCE_MAX} such files are being made already; wait until one is done"),
    )
}

fn body(first: Piece, pieces: Pieces) -> impl Stream<Item = Result<Bytes, FileCutShort>> {
    stream::unfold(Some((Some(first), pieces)), async |state| {
        let (first, mut pieces) = state?;
        let next = match first {
            Some(first) => Some(Ok(first)),
            None => pieces.recv().await,
        };
        match next {
            Some(Ok(Piece::Lines(lines))) => Some((Ok(lines), Some((None, pieces)))),
            Some(Ok(Piece::End)) => None,
            Some(Err(_)) | None => Some((Err(FileCutShort), None)),
        }
    })
}

/// Reads the audit log into the queue.
async fn read(pool: ServicePool, filter: AuditFilter, queue: Queue, _until_it_ends: Slot) {
    let mut lines = CsvLines::with_header();
    let mut is_taken = true;
    let take = async |rows: Vec<AuditRow>| {
        for row in &rows {
            lines.add(row);
            if lines.bytes() >= PIECE_BYTES {
                is_taken = queue.send(Ok(Piece::Lines(lines.take()))).await;
            }
            if !is_taken {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let outcome = audit_read::read_whole(&pool, &filter, take).await;
    let last = match outcome {
        Ok(()) if !is_taken => return,
        Ok(()) => Ok(Piece::End),
        Err(cause) => Err(cause),
    };
    if last.is_err() || queue.send(Ok(Piece::Lines(lines.take()))).await {
        // A caller who has left misses nothing.
        let _is_taken = queue.send(last).await;
    }
}
