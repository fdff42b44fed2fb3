//! Devices of two connections that push at one time: one group of rows is emptied again and again while others add to it.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::months::store::{self, booking};
use crate::support::TestApp;

/// Devices that push concurrently, and how often each does.
const PUSHERS: usize = 4;
const PUSHES: usize = 8;
/// More records than one statement stores.
const MANY: usize = 520;

/// The service after all of their pushes.
pub async fn after_pushes_at_one_time() -> TestApp {
    let app = TestApp::start().await;
    let connections = [
        store::connection(&app, "finance.transactions", "One").await,
        store::connection(&app, "finance.transactions", "Two").await,
    ];
    let pusher = async |pusher: usize| {
        let connection = &connections[pusher % connections.len()];
        for push in 0..PUSHES {
            connection
                .push(&app, &changes(pusher, push))
                .await
                .expect(200);
        }
    };
    join_all((0..PUSHERS).map(pusher)).await;
    app
}

fn changes(pusher: usize, push: usize) -> Value {
    let few: Vec<Value> = (0..3)
        .map(|number| booking(&format!("{pusher} {number}"), "2026-03-01", -5))
        .collect();
    match push % 4 {
        0 | 2 => json!({ "records": few }),
        1 => json!({ "deleted": few.iter().map(|row| &row["id"]).collect::<Vec<_>>() }),
        _ => json!({ "records": many(pusher) }),
    }
}

/// Bookings of many months, in a different order for each pusher.
fn many(pusher: usize) -> Vec<Value> {
    let number = |place: usize| match pusher % 2 {
        0 => place,
        _ => MANY - 1 - place,
    };
    (0..MANY)
        .map(|place| {
            let number = number(place);
            let day = format!("20{:02}-{:02}-15", 10 + number * 12 / MANY, 1 + number % 12);
            booking(&format!("{pusher} many {number}"), &day, 7)
        })
        .collect()
}
