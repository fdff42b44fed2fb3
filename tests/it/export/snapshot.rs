//! An export is one snapshot, whatever is pushed and removed while it is produced.

use reqwest::Method;
use serde_json::{Value, json};

use super::bundle::{Bundle, begin_export};
use super::cut;
use crate::support::TestApp;

const BEFORE: usize = 200;

async fn push(app: &TestApp, to: &(String, String), body: Value) {
    let request = app.request(Method::POST, &format!("/api/ingest/{}", to.0));
    app.send(request.bearer_auth(&to.1).json(&body))
        .await
        .expect(200);
}

/// Samples, whose days are derived in the same transaction.
fn samples(from: usize, to: usize, steps: u32) -> Value {
    let sample = |number: usize| {
        let day = number % 28 + 1;
        json!({ "id": format!("s{number}"), "metric": "steps", "value": steps, "start_at": format!("2026-02-{day:02}T12:00:00+01:00") })
    };
    json!({ "records": (from..to).map(sample).collect::<Vec<_>>() })
}

#[actix_web::test]
async fn what_is_pushed_while_it_is_made_is_not_in_it_and_what_is_removed_still_is() {
    let app = TestApp::start().await;
    // The first table is so large that the others have not been read when the pushes come.
    cut::fill(&app).await;
    let device = app.push_connection("health.samples").await;
    push(&app, &device, samples(0, BEFORE, 10)).await;
    let answer = begin_export(&app, "").await;
    push(&app, &device, samples(0, BEFORE * 2, 500)).await;
    push(
        &app,
        &device,
        json!({ "records": [], "deleted": ["s0", "s1"] }),
    )
    .await;
    let late = app.push_connection("mail.messages").await;
    push(
        &app,
        &late,
        json!({ "records": [{ "id": "m", "subject": "late" }] }),
    )
    .await;
    let bundle = Bundle::read(answer).await;
    let rows = bundle.rows("health.samples");
    assert_eq!(rows.len(), BEFORE);
    assert!(
        rows.iter()
            .all(|row| row["value"] == 10.0 && row["deleted_at"].is_null())
    );
    let steps: f64 = bundle
        .rows("health.days")
        .iter()
        .map(|day| day["steps"].as_f64().unwrap())
        .sum();
    assert_eq!(
        steps,
        10.0 * BEFORE as f64,
        "days are of the same moment as what they are made of"
    );
    assert_eq!(bundle.rows("mail.messages").len(), 0);
    assert!(
        bundle
            .rows("connections")
            .iter()
            .all(|one| one["id"] != late.0.as_str())
    );
    assert_eq!(
        Bundle::of(&app, "?sector=health")
            .await
            .rows("health.samples")
            .len(),
        BEFORE * 2
    );
}
