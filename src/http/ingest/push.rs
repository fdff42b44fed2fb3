//! Serves one push, from the request's head to its answer.

use std::fs::File;

use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use sextant_actors::audit::Witness;
use sextant_actors::domain::KnownConnection;
use sextant_actors::journal::JournalAck;

use crate::capacity::Slot;
use crate::http::code::Code;
use crate::ingest::limits::PushLimits;
use crate::ingest::{Prepared, PushDestination, Rejects, prepare};
use crate::pushes::UnstoredPush;

use super::answer::PushFailure;
use super::head::{AdmittedPush, PushOptions, RefusedPush, admit, owner_and_id};
use super::parts::IngestParts;
use super::spool::spool;
use super::stored::stored_response;

/// The handler.
pub(super) async fn push(
    request: HttpRequest,
    path: Path<String>,
    mut payload: Payload,
    parts: Data<IngestParts>,
) -> HttpResponse {
    let admitted = match admit(&parts, &path, request.head()) {
        Ok(admitted) => admitted,
        Err(refused) => return refused.answer(&parts, payload.into_inner()).await,
    };
    let witness = parts.store.open_witness(Some(&admitted.connection));
    let connection = owner_and_id(&admitted.connection);
    let refused = match receive(&mut payload, &parts, admitted).await {
        Ok(received) => match store_to_the_end(parts.clone(), received, witness).await {
            Ok(answer) => return answer,
            Err(refused) => refused,
        },
        Err(failure) => RefusedPush::of(failure, connection, witness.fail()),
    };
    refused.answer(&parts, payload.into_inner()).await
}

/// A push whose body has been read.
struct ReceivedPush {
    to: PushDestination,
    prepared: Prepared,
    notes: Vec<String>,
    has_outcomes: bool,
    slot: Slot,
}

/// Receives and validates the body.
async fn receive(
    payload: &mut Payload,
    parts: &Data<IngestParts>,
    AdmittedPush {
        connection,
        options,
    }: AdmittedPush,
) -> Result<ReceivedPush, PushFailure> {
    let to = destination(&connection, parts)?;
    let limits = &parts.limits;
    let arriving = parts.slots.arrive(limits.silence_max).await?;
    let body = spool(payload, limits).await?;
    let slot = parts.slots.store(arriving, body.bytes).await;
    let (mut prepared, slot) = prepare_blocking((body.file, slot), &options, &to, limits).await?;
    let notes = std::mem::take(&mut prepared.notes);
    if options.parameters.rejects == Rejects::All && !prepared.problems.is_empty() {
        return Err(PushFailure::invalid(prepared.problems));
    }
    prepared.sent_bytes = Some(body.bytes);
    Ok(ReceivedPush {
        to,
        prepared,
        notes,
        has_outcomes: options.parameters.has_outcomes,
        slot,
    })
}

fn destination(
    connection: &KnownConnection,
    parts: &IngestParts,
) -> Result<PushDestination, PushFailure> {
    parts.store.destination(connection).ok_or_else(|| {
        PushFailure::new(
            Code::Internal,
            "this connection's table is not known to this version of the service",
        )
    })
}

/// Validates the body on a thread that may block; the slot is held until that has ended, even if the request is gone by then.
async fn prepare_blocking(
    (body, slot): (File, Slot),
    options: &PushOptions,
    to: &PushDestination,
    limits: &PushLimits,
) -> Result<(Prepared, Slot), PushFailure> {
    let shape = (options.encoding, options.format);
    let (rejects, to) = (options.parameters.rejects, to.clone());
    let (bytes_max, spools) = (limits.body_bytes_max, limits.spools.clone());
    let prepared = tokio::task::spawn_blocking(move || {
        prepare(body, shape, (bytes_max, &spools), &to, rejects).map(|prepared| (prepared, slot))
    });
    prepared
        .await
        .map_err(|_| PushFailure::new(Code::Internal, "the push could not be read"))?
        .map_err(|error| PushFailure::of_body(error, bytes_max))
}

/// Stores the push and writes its audit row in a task of its own, which a device that goes away does not cancel.
async fn store_to_the_end(
    parts: Data<IngestParts>,
    received: ReceivedPush,
    witness: Witness,
) -> Result<HttpResponse, RefusedPush> {
    let connection = (received.to.user, received.to.connection);
    let work = actix_web::rt::spawn(async move {
        let ReceivedPush {
            to,
            prepared,
            notes,
            has_outcomes,
            slot,
        } = received;
        let _held_until_stored = slot;
        match parts.store.store(&to, prepared, witness).await {
            Ok(stored) => Ok(stored_response(stored, &notes, has_outcomes)),
            Err(UnstoredPush { cause, journaled }) => {
                let failure = PushFailure::of_store(cause);
                Err(RefusedPush::of(failure, connection, journaled))
            }
        }
    });
    work.await.unwrap_or_else(|_| {
        let failure = PushFailure::new(Code::Internal, "the push was not stored");
        // The task's witness was dropped and wrote the row.
        Err(RefusedPush::of(failure, connection, JournalAck::settled()))
    })
}
