//! The answer to a push that was stored.

use actix_web::body::SizedStream;
use actix_web::web::Bytes;
use actix_web::{Error, HttpResponse};
use futures_util::stream;
use serde_json::{Value, json};

use crate::ingest::{RecordOutcome, StoredCounts};

/// Outcomes that are written at a time.
const OUTCOMES_AT_ONCE: usize = 4_096;

/// The counts, and on demand the outcome of each record.
pub(super) fn stored_response(
    stored: StoredCounts,
    notes: &[String],
    has_outcomes: bool,
) -> HttpResponse {
    let StoredCounts {
        inserted,
        updated,
        unchanged,
        deleted,
        rejected,
        outcomes,
    } = stored;
    let body = json!({
        "upserted": inserted + updated + unchanged,
        "inserted": inserted,
        "updated": updated,
        "unchanged": unchanged,
        "deleted": deleted,
        "rejected": rejected,
        "notes": notes,
    });
    if has_outcomes {
        with_outcomes(&body, outcomes.into_vec())
    } else {
        HttpResponse::Ok().json(body)
    }
}

/// Answers with `body`, to which the outcomes are added while it is sent: until then each takes one byte.
fn with_outcomes(body: &Value, outcomes: Vec<RecordOutcome>) -> HttpResponse {
    let object = body.to_string();
    let members = object.strip_suffix('}').unwrap_or(&object);
    let start = format!("{members},\"outcomes\":[");
    let end = "]}";
    let quoted = |outcome: &RecordOutcome| outcome.as_str().len() + 2;
    let commas = outcomes.len().saturating_sub(1);
    let size = start.len() + outcomes.iter().map(quoted).sum::<usize>() + commas + end.len();
    let pieces = std::iter::once(start)
        .chain(pieces(outcomes))
        .chain(std::iter::once(end.to_owned()))
        .map(|piece| Ok::<_, Error>(Bytes::from(piece)));
    HttpResponse::Ok()
        .content_type("application/json")
        .body(SizedStream::new(size as u64, stream::iter(pieces)))
}

/// The elements of the JSON list, some at a time.
fn pieces(outcomes: Vec<RecordOutcome>) -> impl Iterator<Item = String> {
    let starts = (0..outcomes.len()).step_by(OUTCOMES_AT_ONCE);
    starts.map(move |start| {
        let outcomes = outcomes
            .iter()
            .enumerate()
            .skip(start)
            .take(OUTCOMES_AT_ONCE);
        outcomes
            .flat_map(|(index, outcome)| {
                let before = if index == 0 { "\"" } else { ",\"" };
                [before, outcome.as_str(), "\""]
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_one_list() {
        for count in [0, 1, OUTCOMES_AT_ONCE, OUTCOMES_AT_ONCE + 1] {
            let outcomes = vec![RecordOutcome::Deleted; count];
            let text: String = pieces(outcomes).collect();
            let read: Vec<String> = serde_json::from_str(&format!("[{text}]")).unwrap();
            assert_eq!(read, vec!["deleted"; count]);
        }
    }
}
