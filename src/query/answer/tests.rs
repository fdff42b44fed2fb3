use serde_json::json;
use sextant_actors::domain::OPERATOR;

use super::*;
use crate::query::check::{self, RowQuery};
use crate::query::cursor;
use crate::query::fault::CallFault;
use crate::query::page::PageRow;
use crate::query::provenance::Provenance;
use crate::query::raw_row::RawRow;
use crate::query::request::Request;
use crate::query::sources::example;
use crate::query::watermark::Watermark;

fn nonce() -> Nonce {
    Nonce::of(|| Ok("n0nce".to_owned()))
}

fn time() -> LocalTime {
    LocalTime {
        now: "2026-03-17T12:00:00Z".parse().unwrap(),
        zone: chrono_tz::UTC,
    }
}

fn checked(more: Value) -> RowQuery {
    let mut arguments =
        json!({"target": "mail.messages", "select": ["id", "subject", "body_text"]});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    check::check_rows(&Request::parse(&arguments).unwrap(), OPERATOR, &time()).unwrap()
}

fn row(cells: &[Option<&[u8]>]) -> RawRow {
    cells.iter().copied().collect()
}

fn page(rows: usize, body: &str) -> ResultPage {
    let found = |number: usize| {
        let id = uuid::Uuid::from_u128(number as u128);
        PageRow {
            // The selected columns, then the keys of the order.
            cells: row(&[
                Some(id.as_bytes()),
                Some(format!("Subject {number}").as_bytes()),
                Some(body.as_bytes()),
                None,
                Some(id.as_bytes()),
            ]),
            deleted_id: None,
        }
    };
    ResultPage {
        rows: (0..rows).map(found).collect(),
        has_more: false,
        matched: Some(rows as i64),
        is_empty: rows == 0,
        has_rows: rows > 0,
        provenance: Provenance {
            sources: vec![example()],
            ..Provenance::default()
        },
        kinds: Vec::new(),
    }
}

fn written(checked: &RowQuery, page: &ResultPage) -> (String, Value) {
    let answer = write(&AnswerSpec::from(checked), page, &time(), &nonce(), None).unwrap();
    let text = answer.text.to_string();
    assert_eq!(
        text.len(),
        answer.text.text_bytes(),
        "the bytes counted are those written"
    );
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

fn fault(checked: &RowQuery, page: &ResultPage) -> CallFault {
    match write(&AnswerSpec::from(checked), page, &time(), &nonce(), None) {
        Err(AnswerError::Fault(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_keeps_its_budget_with_whole_rows_and_a_way_on() {
    for budget in [500, 501, 800, 2000, 8000] {
        for body in [10, 200, 1000, 5000] {
            let checked = checked(json!({"budget": budget, "limit": 1000}));
            let (text, value) = written(&checked, &page(400, &"ä ".repeat(body)));
            assert!(text.len() <= budget * 4, "{budget} {body}: {}", text.len());
            let rows = value["rows"].as_array().unwrap();
            assert!(!rows.is_empty() && rows.len() < 400);
            assert!(rows.iter().all(|row| row.as_array().unwrap().len() == 3));
            assert_eq!(value["returned"], rows.len());
            assert_eq!(value["matched"], 400);
            assert!(value["next_cursor"].is_string());
        }
    }
}

#[test]
fn an_answer_without_rows_keeps_the_least_budget_whatever_the_labels() {
    let silent = crate::query::sources::ConnectedSource {
        label: "😀".repeat(100),
        as_of: None,
        ..example()
    };
    for table in crate::catalog::tables() {
        let arguments = json!({"target": table.target(), "budget": 500});
        let request = Request::parse(&arguments).unwrap();
        let checked = check::check_rows(&request, OPERATOR, &time()).unwrap();
        for lively in [vec![], vec![example()]] {
            let mut page = page(0, "");
            page.provenance.sources = [lively, vec![silent.clone(); 20]].concat();
            let one = json!({"connection": "A phone", "outcome": "push_only"});
            let fetched = vec![one; 50];
            let answer = write(
                &AnswerSpec::from(&checked),
                &page,
                &time(),
                &nonce(),
                Some(&fetched),
            )
            .unwrap();
            let size = answer.text.text_bytes();
            assert!(size <= 2000, "{}: {size}", table.target());
            let value: Value = serde_json::from_str(&answer.text.to_string()).unwrap();
            assert!(value["empty"]["reason"].is_string());
            assert!(!value["fetched"].as_array().unwrap().is_empty());
        }
    }
}

#[test]
fn a_row_that_cannot_fit_is_a_fault_that_says_how() {
    let checked = checked(json!({"budget": 500}));
    let mut page = page(1, "short");
    let id = uuid::Uuid::nil();
    page.rows[0].cells = row(&[Some(id.as_bytes().as_slice()); 403]);
    let columns = checked.select[0];
    let wide = RowQuery {
        select: vec![columns; 403],
        ..checked
    };
    let fault = fault(&wide, &page);
    assert!(fault.say(&json!({})).contains("`select` fewer columns"));
}

#[test]
fn long_texts_are_clipped_fenced_and_marked() {
    let checked = checked(json!({"budget": 8000}));
    let (_, value) = written(&checked, &page(1, &"x".repeat(100_000)));
    let body = value["rows"][0][2].as_str().unwrap();
    assert!(body.starts_with("<<<data n0nce\nxxx") && body.ends_with("…[clipped]\nn0nce data>>>"));
    assert!(value["notes"][0].as_str().unwrap().contains("get_record"));
    assert_eq!(value["untrusted"], json!(["subject", "body_text"]));
}

#[test]
fn records_are_objects_in_the_order_of_the_columns() {
    let checked = checked(json!({"format": "records"}));
    let (text, value) = written(&checked, &page(1, "hello"));
    assert_eq!(value["rows"][0]["body_text"], "hello");
    assert!(text.find("\"id\":\"00").unwrap() < text.find("\"subject\":\"Subject").unwrap());
}

#[test]
fn an_empty_answer_says_why_and_a_last_page_has_no_cursor() {
    let (_, value) = written(&checked(json!({})), &page(0, ""));
    assert_eq!(value["rows"], json!([]));
    assert_eq!(value["empty"]["reason"], "no_match");
    let (_, value) = written(&checked(json!({})), &page(3, "x"));
    assert_eq!(value["next_cursor"], Value::Null);
    assert!(value.get("empty").is_none());
}

#[test]
fn many_sources_do_not_break_the_budget() {
    let mut page = page(5, "x");
    page.provenance.sources = vec![example(); 200];
    let (text, value) = written(&checked(json!({"budget": 500})), &page);
    assert!(text.len() <= 2000);
    assert!(
        value["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note.as_str().unwrap().contains("further sources"))
    );
}

#[test]
fn an_answer_is_as_fresh_as_the_least_fresh_of_its_sources() {
    let mut page = page(1, "x");
    let later = ConnectedSource {
        as_of: Some("2026-03-02T08:00:00Z".parse().unwrap()),
        ..example()
    };
    let silent = ConnectedSource {
        as_of: None,
        ..example()
    };
    page.provenance.sources = vec![later, example(), silent];
    let (_, value) = written(&checked(json!({})), &page);
    assert_eq!(value["as_of"], "2026-03-01T08:00:00Z");
}

#[test]
fn a_further_page_tells_the_moment_of_the_first_and_is_not_empty_for_a_reason() {
    let first_watermark = Watermark::parse(&format!("{}.42", uuid::Uuid::nil().simple())).unwrap();
    let checked = RowQuery {
        after: Some(cursor::PagePosition {
            values: vec![None, None],
            first_watermark,
        }),
        ..checked(json!({}))
    };
    let mut page = self::page(3, "x");
    page.has_more = true;
    let (_, value) = written(&checked, &page);
    let digest = checked.change_digest.as_deref().unwrap();
    assert_eq!(value["change_cursor"], first_watermark.encode(digest));
    let next = value["next_cursor"].as_str().unwrap();
    let place = cursor::decode(next, &checked.digest, &checked.order).unwrap();
    assert_eq!(place.first_watermark, first_watermark);
    let (_, value) = written(&checked, &self::page(0, ""));
    assert!(value.get("empty").is_none(), "{value}");
}

#[test]
fn changes_of_another_generation_cannot_be_told() {
    let other = format!("{}.1", uuid::Uuid::from_u128(7).simple());
    let since = |watermark| RowQuery {
        since: Some(watermark),
        ..checked(json!({}))
    };
    let other = since(Watermark::parse(&other).unwrap());
    let fault = fault(&other, &page(1, "x"));
    assert!(fault.say(&json!({})).starts_with("cursor_expired"));
    let own = since(Watermark::default());
    written(&own, &page(1, "x"));
}

#[test]
fn a_malformed_cell_is_an_error_and_no_answer() {
    let checked = checked(json!({}));
    let mut page = page(1, "x");
    page.rows[0].cells = row(&[Some(b"no uuid"), None, None]);
    let refused = write(&AnswerSpec::from(&checked), &page, &time(), &nonce(), None);
    assert!(matches!(refused, Err(AnswerError::Malformed(_))));
}

#[test]
fn a_nonce_is_drawn_only_for_a_fence() {
    let refused = || Nonce::of(|| Err(sextant_actors::random::Unavailable));
    let checked = checked(json!({}));
    let spec = AnswerSpec::from(&checked);
    assert!(write(&spec, &page(3, "short"), &time(), &refused(), None).is_ok());
    let long = page(3, &"x".repeat(401));
    let random = write(&spec, &long, &time(), &refused(), None);
    assert!(matches!(random, Err(AnswerError::Random(_))));
}
