//! The monthly sums: whatever happens to bookings, they equal the sums of the rows, and a query answered from them
//! has the same answer as from the rows.
//!
//! | file | what it holds |
//! |---|---|
//! | `store` | the running service, and what happens to its bookings |
//! | `asked` | queries that sums can answer |
//! | `plans` | how sums are read |

mod asked;
mod plans;
pub mod store;

use futures_util::future::join;
use serde_json::json;
use sextant::db::{MIGRATIONS, migrate};

use self::asked::assert_answered_alike;
use self::store::Store;
pub use self::store::assert_exact;
use super::chance::{Chance, seeds};
use super::pushers::after_pushes_at_one_time;
use crate::support::eventually::eventually;
use crate::support::{TestApp, TestDatabase};

/// Changes for each seed, and the queries after each of them.
const ACTS: u64 = 45;
const QUESTIONS: u64 = 8;

#[actix_web::test]
async fn sums_are_what_the_rows_come_to_and_answer_as_they_do() {
    for seed in seeds() {
        let chance = Chance::of(seed);
        let mut store = Store::with_rows().await;
        let mut filled = 0;
        for act in 1..=ACTS {
            let mut chance = chance.part(act);
            let what = store.act(&mut chance).await;
            assert_exact(&store.app, &format!("seed {seed}, act {act}: {what}")).await;
            filled += assert_answered_alike(&store.app, &mut chance, QUESTIONS).await;
        }
        let other = store.moved().await;
        assert_exact(&other, &format!("seed {seed}: imported")).await;
        filled += assert_answered_alike(&other, &mut chance.part(0), QUESTIONS).await;
        println!("{filled} answers had several groups");
        assert!(filled > 60, "too few answers prove anything");
    }
}

#[actix_web::test]
async fn sums_are_exact_after_pushes_at_one_time() {
    let app = after_pushes_at_one_time().await;
    assert_exact(&app, "pushed at one time").await;
}

/// Pushes cannot produce this, since they commit one at a time: one transaction empties a group while another adds to
/// it, or both add.
#[actix_web::test]
async fn sums_are_exact_where_transactions_meet_in_a_group() {
    let app = TestApp::start().await;
    let connection = store::connection(&app, "finance.transactions", "One").await;
    let records = json!([store::booking("first", "2026-03-01", -5)]);
    connection
        .push(&app, &json!({ "records": records }))
        .await
        .expect(200);
    let (one, other) = (app.database.connect().await, app.database.connect().await);
    let (empties, adds) = (store::EMPTIES, store::ADDS);
    for (held, meanwhile) in [(empties, adds), (adds, adds), (adds, empties)] {
        one.batch_execute(&format!("BEGIN; {held}; SET CONSTRAINTS ALL IMMEDIATE"))
            .await
            .unwrap();
        other
            .batch_execute(&format!("BEGIN; {meanwhile}"))
            .await
            .unwrap();
        let ended = async { other.batch_execute("COMMIT").await.unwrap() };
        let let_go = async {
            eventually("the other one waits", async || {
                store::is_one_waiting(&app).await
            })
            .await;
            one.batch_execute("COMMIT").await.unwrap();
        };
        join(ended, let_go).await;
        assert_exact(&app, meanwhile).await;
    }
}

/// A text that is too long for an index.
#[actix_web::test]
async fn a_category_of_any_length_has_its_sum() {
    let app = TestApp::start().await;
    let connection = store::connection(&app, "finance.transactions", "One").await;
    let mut chance = Chance::of(1);
    let letters = (0..20_000).map(|_| char::from_u32(0x4e00 + chance.below(20_000) as u32));
    let long: String = letters.flatten().collect();
    for (number, category) in [long.as_str(), "short", &long].into_iter().enumerate() {
        let mut booking = store::booking(&number.to_string(), "2026-03-01", -5);
        booking["category"] = json!(category);
        connection
            .push(&app, &json!({ "records": [booking] }))
            .await
            .expect(200);
        assert_exact(&app, "a long category").await;
    }
}

/// The rows of a store that an earlier version made.
#[actix_web::test]
async fn what_is_there_already_is_summed_up_when_the_sums_come() {
    assert_brought_forward("sums").await;
}

/// The sums of a store that kept those of each sign apart.
#[actix_web::test]
async fn sums_of_each_sign_are_brought_together() {
    assert_brought_forward("sums of both signs").await;
}

/// Asserts that a store with rows has its sums after a schema step and those that follow.
async fn assert_brought_forward(step: &str) {
    let database = TestDatabase::made_with("OWNER sextant").await;
    let mut owner = database.connect().await;
    let place = MIGRATIONS.iter().position(|known| known.name == step);
    migrate(&mut owner, &MIGRATIONS[..place.unwrap()])
        .await
        .unwrap();
    owner.batch_execute(store::EARLIER).await.unwrap();
    migrate(&mut owner, MIGRATIONS).await.unwrap();
    store::assert_exact_in(&owner, "brought forward").await;
    let sums = "SELECT count(*) FROM sums.transactions_by_month";
    let sums: i64 = owner.query_one(sums, &[]).await.unwrap().get(0);
    assert!(sums > 20, "{sums}");
}
