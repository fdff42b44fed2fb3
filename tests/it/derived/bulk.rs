//! Many samples in one push.

use std::fmt::Write as _;

use reqwest::Method;

use super::{Device, agent, days};
use crate::support::TestApp;

/// Enough for many batches; `process::memory` measures the memory of a large push.
const SAMPLES: usize = 6_000;
const BODY_BYTES_MAX: u64 = 64 * 1024 * 1024;

fn lines(samples: usize) -> String {
    (0..samples).fold(String::new(), |mut text, place| {
        let at = chrono::DateTime::from_timestamp(1_760_000_000 + 300 * place as i64, 0).unwrap();
        let _infallible = writeln!(
            text,
            r#"{{"id":"{place}","metric":"steps","value":1,"start_at":"{}","zone_offset":"+00:00"}}"#,
            at.to_rfc3339()
        );
        text
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "a measurement by hand is told how large it is to be"
)]
fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// `SEXTANT_SAMPLES` sets how many samples are pushed, and `SEXTANT_UNMARKED` pushes them without marking their days,
/// for measuring by hand what the derived days cost.
#[actix_web::test]
async fn many_samples_in_one_push_are_all_counted() {
    let samples = number("SEXTANT_SAMPLES").unwrap_or(SAMPLES);
    let is_unmarked = number("SEXTANT_UNMARKED").is_some();
    let app = TestApp::start_with_body_bytes_max(BODY_BYTES_MAX).await;
    let client = agent(&app).await;
    let phone = Device::of(&app, "health.samples").await;
    if is_unmarked {
        let database = app.database.connect().await;
        database
            .batch_execute("ALTER TABLE health.samples DISABLE TRIGGER USER")
            .await
            .unwrap();
    }
    let push = app
        .request(Method::POST, &format!("/api/ingest/{}", phone.id))
        .bearer_auth(&phone.secret)
        .header("content-type", "application/x-ndjson")
        .body(lines(samples));
    let started = std::time::Instant::now();
    app.send(push).await.expect(200);
    println!(
        "{samples} samples, unmarked {is_unmarked}: {} ms",
        started.elapsed().as_millis()
    );
    let told = days(&client, &["steps"]).await;
    let steps: u64 = told.iter().map(|day| day["steps"].as_u64().unwrap()).sum();
    assert_eq!(steps, if is_unmarked { 0 } else { samples as u64 });
}
