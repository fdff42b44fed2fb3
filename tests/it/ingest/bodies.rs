//! The forms a body may have, and what becomes of each.

use std::io::Write;

use serde_json::json;

use super::{Device, coffee, counts, rows};
use crate::support::TestApp;

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

#[actix_web::test]
async fn r080_json_arrays_lines_gzip_and_zstd_store_the_same() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let (one, two) = (coffee("one", -3.5), coffee("two", -3.5));
    let array = json!([one, two]).to_string().into_bytes();
    let lines = format!("{one}\n{two}\n").into_bytes();
    let json_type = ("content-type", "application/json");
    let lines_type = ("content-type", "application/x-ndjson");
    let sent = [
        (
            vec![json_type],
            json!({ "records": [one, two] }).to_string().into_bytes(),
        ),
        (vec![json_type], array.clone()),
        (vec![lines_type], lines.clone()),
        (vec![json_type, ("content-encoding", "gzip")], gzip(&array)),
        (
            vec![lines_type, ("content-encoding", "zstd")],
            zstd::encode_all(lines.as_slice(), 1).unwrap(),
        ),
    ];
    for (place, (headers, body)) in sent.into_iter().enumerate() {
        let answer = device.send("", &headers, body).await.expect(200);
        let expected = if place == 0 {
            [2, 0, 0, 0]
        } else {
            [0, 0, 2, 0]
        };
        assert_eq!(counts(&answer), expected, "{headers:?}");
    }
    assert_eq!(
        rows(&app, "SELECT id FROM finance.transactions")
            .await
            .len(),
        2
    );
}

#[actix_web::test]
async fn a_body_that_cannot_be_read_stores_nothing_and_says_why() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let good = json!([coffee("one", -3.5)]).to_string();
    let truncated = gzip(good.as_bytes());
    let json_type = ("content-type", "application/json");
    for (headers, body, status) in [
        (
            vec![json_type],
            good.as_bytes()[..good.len() - 2].to_vec(),
            400,
        ),
        (vec![json_type], b"[{\"id\":\"\xff\"}]".to_vec(), 400),
        (
            vec![json_type],
            format!("[{}{}]", "[".repeat(5000), "]".repeat(5000)).into_bytes(),
            400,
        ),
        (
            vec![json_type, ("content-encoding", "gzip")],
            truncated[..truncated.len() - 6].to_vec(),
            400,
        ),
        (
            vec![json_type, ("content-encoding", "br")],
            good.clone().into_bytes(),
            415,
        ),
        (
            vec![("content-type", "text/csv")],
            good.clone().into_bytes(),
            415,
        ),
        (vec![], good.clone().into_bytes(), 415),
    ] {
        let answer = device.send("", &headers, body).await.expect(status);
        assert!(
            answer["message"]
                .as_str()
                .is_some_and(|message| message.len() > 20),
            "{answer}"
        );
    }
    assert!(
        rows(&app, "SELECT id FROM finance.transactions")
            .await
            .is_empty()
    );
}

#[actix_web::test]
async fn a_body_over_the_bound_is_413_sent_and_decoded() {
    let app = TestApp::start_with_body_bytes_max(100_000).await;
    let device = Device::of(&app, "finance.transactions").await;
    let bomb = format!("[{}]", " ".repeat(1_000_000)).into_bytes();
    let json_type = ("content-type", "application/json");
    device
        .send("", &[json_type], bomb.clone())
        .await
        .expect(413);
    device
        .send("", &[json_type, ("content-encoding", "gzip")], gzip(&bomb))
        .await
        .expect(413);
    device.store(json!([coffee("still", -1.0)])).await;
}
