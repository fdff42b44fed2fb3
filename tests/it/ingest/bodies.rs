//! The forms a body may have, and the answer to each.

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

#[actix_web::test]
async fn an_encoding_that_is_broken_or_named_twice_stores_nothing() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let (one, two) = (
        format!("{}\n", coffee("one", -1.0)),
        format!("{}\n", coffee("two", -1.0)),
    );
    let zstd = |plain: &str| zstd::encode_all(plain.as_bytes(), 1).unwrap();
    let (packed, framed) = (gzip(one.as_bytes()), zstd(&one));
    let cut = |whole: &[u8], less: usize| whole[..whole.len() - less].to_vec();
    let with = |whole: &[u8], tail: &[u8]| [whole, tail].concat();
    let wrong_at = |whole: &[u8], from_end: usize| {
        let mut whole = whole.to_vec();
        let place = whole.len() - from_end;
        whole[place] ^= 1;
        whole
    };
    // A frame whose header asks for a window of 128 MiB.
    let greedy = [b"\x28\xb5\x2f\xfd\x00\x88".as_slice(), &[0; 40]].concat();
    for (encodings, body, status) in [
        (vec!["gzip"], cut(&packed, 4), 400),
        (vec!["gzip"], cut(&packed, packed.len() - 5), 400),
        (vec!["gzip"], with(&packed, b"garbage"), 400),
        (vec!["gzip"], wrong_at(&packed, 5), 400),
        (vec!["gzip"], wrong_at(&packed, 1), 400),
        (vec!["gzip"], one.clone().into_bytes(), 400),
        (vec!["gzip"], gzip(&packed), 400),
        (vec!["zstd"], cut(&framed, 4), 400),
        (vec!["zstd"], with(&framed, b"garbage"), 400),
        (vec!["zstd"], packed.clone(), 400),
        (vec!["zstd"], greedy, 400),
        (vec![], packed.clone(), 400),
        (vec!["deflate"], packed.clone(), 415),
        (vec!["gzip, zstd"], packed.clone(), 415),
        (vec!["gzip", "gzip"], gzip(&packed), 415),
        (vec!["identity", "gzip"], packed.clone(), 415),
    ] {
        let mut headers = vec![("content-type", "application/x-ndjson")];
        headers.extend(encodings.iter().map(|name| ("content-encoding", *name)));
        let answer = device.send("", &headers, body).await.expect(status);
        let said = answer["message"].to_string() + &answer["problems"].to_string();
        assert!(
            said.len() > 20 && !said.contains("coffee"),
            "{encodings:?} {answer}"
        );
    }
    let stored = "SELECT source_id FROM finance.transactions";
    assert!(rows(&app, stored).await.is_empty());
    let twice = [
        ("content-type", "application/json"),
        ("content-type", "application/x-ndjson"),
    ];
    device
        .send("", &twice, one.clone().into_bytes())
        .await
        .expect(415);
    for (name, members) in [
        ("gzip", with(&packed, &gzip(two.as_bytes()))),
        ("zstd", with(&framed, &zstd(&two))),
    ] {
        let headers = [
            ("content-type", "application/x-ndjson"),
            ("content-encoding", name),
        ];
        let answer = device.send("", &headers, members).await.expect(200);
        assert_eq!(answer["upserted"], 2, "{name}");
    }
}
