//! The same id many times in one push.

use serde_json::{Value, json};

use super::{Device, coffee, counts, rows};
use crate::support::TestApp;

const TIMES: usize = 100_000;
/// One statement for each would take minutes.
const TURNS: usize = 100;

#[actix_web::test]
async fn an_id_a_hundred_thousand_times_is_stored_once_and_each_is_counted() {
    let line = |amount: usize| format!("{}\n", coffee("a", amount as f64));
    let unlike: String = (0..TIMES).map(line).collect();
    let equal = line(TIMES - 1).repeat(TIMES);
    let mut settings = crate::support::app::settings();
    settings.pushes.body_bytes_max = 64 * 1024 * 1024;
    let app = TestApp::start_with(settings).await;
    let device = Device::of(&app, "finance.transactions").await;
    let unlike = device.push_lines(&unlike).await.expect(200);
    assert_eq!(counts(&unlike), [1, TIMES as u64 - 1, 0, 0]);
    let equal = device.push_lines(&equal).await.expect(200);
    assert_eq!(counts(&equal), [0, 0, TIMES as u64, 0]);
    let stored = rows(&app, "SELECT amount::bigint FROM finance.transactions").await;
    assert_eq!(stored, [json!({ "amount": TIMES - 1 })]);
}

#[actix_web::test]
async fn the_newest_stamp_wins_wherever_it_stands_in_the_push() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let at = |amount: f64, minute: u32| {
        let mut record = coffee("a", amount);
        record["updated_at"] = json!(format!("2026-03-01T10:{minute:02}:00Z"));
        record
    };
    let amount = async || {
        rows(&app, "SELECT amount::bigint FROM finance.transactions").await[0]["amount"].clone()
    };
    let answer = device
        .store(json!([at(1.0, 5), at(2.0, 9), at(3.0, 7)]))
        .await;
    assert_eq!((counts(&answer), amount().await), ([1, 1, 1, 0], json!(2)));
    let stale = device.store(json!([at(4.0, 1), at(5.0, 2)])).await;
    assert_eq!((counts(&stale), amount().await), ([0, 0, 2, 0], json!(2)));
    // A record without a stamp wins over earlier ones, and every later one wins over it.
    let answer = device
        .store(json!([at(6.0, 3), coffee("a", 7.0), at(8.0, 4)]))
        .await;
    assert_eq!((counts(&answer), amount().await), ([0, 2, 1, 0], json!(8)));
}

#[actix_web::test]
async fn records_and_deletions_of_one_id_are_taken_in_the_order_of_the_lines() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "finance.transactions").await;
    let gone = || json!({ "id": "a", "_deleted": true });
    let push = async |steps: &[Value]| {
        let lines: String = steps.iter().map(|step| format!("{step}\n")).collect();
        counts(&device.push_lines(&lines).await.expect(200))
    };
    let live = async || {
        let live = "SELECT amount::bigint FROM finance.transactions WHERE deleted_at IS NULL";
        rows(&app, live).await
    };
    let steps = [coffee("a", 1.0), gone(), coffee("a", 2.0)];
    assert_eq!(push(&steps).await, [1, 1, 0, 1]);
    assert_eq!(live().await, [json!({ "amount": 2 })]);
    assert_eq!(
        push(&[gone(), coffee("a", 3.0), gone(), gone()]).await,
        [0, 1, 0, 2]
    );
    assert!(live().await.is_empty());
    let turns: Vec<_> = (0..TURNS)
        .flat_map(|turn| [coffee("a", turn as f64), gone()])
        .collect();
    assert_eq!(push(&turns).await, [0, TURNS as u64, 0, TURNS as u64]);
    assert!(live().await.is_empty());
    // Members of an object have no order: deletions are applied last.
    let body = json!({ "deleted": ["a"], "records": [coffee("a", 1.0)] });
    assert_eq!(counts(&device.push(body).await.expect(200)), [0, 1, 0, 1]);
    assert!(live().await.is_empty());
}
