//! A service killed in the middle of an erase, and after its answer: nothing has changed, or all of it.

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::Setup;
use super::crashes::{coffee, stored};
use super::service::postgres_socket;
use crate::support::cluster::{config, connect};
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

const ROWS: usize = 40;
const WAITING: &str =
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'home.entities'::regclass";

#[test]
fn a_kill_in_the_middle_of_an_erase_changes_nothing_and_one_after_its_answer_takes_nothing_back() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        let coffees: Vec<Value> = (0..ROWS).map(|id| coffee(&id.to_string())).collect();
        let pushed = service.push(&device, json!(coffees).to_string());
        assert_eq!(pushed.send().await.unwrap().status(), 200);
        service.device("home.entities").await;

        // The last tables of the sectors are locked, so the first ones have been erased when it waits.
        let server = config(&postgres_socket(&service), "postgres", "sextant");
        let (holder, onlooker) = (connect(&server).await, connect(&server).await);
        let hold = "BEGIN; LOCK TABLE home.entities IN ACCESS EXCLUSIVE MODE";
        holder.batch_execute(hold).await.unwrap();
        let erase = service.request(Method::POST, "/api/erase");
        let asked = tokio::spawn(erase.json(&json!({ "scope": "all" })).send());
        eventually("the erase is in its middle", async || {
            let row = onlooker.query_one(WAITING, &[]).await.unwrap();
            row.get::<_, i64>(0) == 1
        })
        .await;
        service.signal(Signal::SIGKILL);
        service.wait_for_end().await;
        assert!(asked.await.unwrap().is_err(), "nobody answered");
        holder.batch_execute("COMMIT").await.unwrap();
        drop((holder, onlooker));

        let service = Setup::in_home(home).start().await;
        assert_eq!(stored(&service).await.len(), ROWS);
        let all = Some(json!({ "scope": "all" }));
        let done = service.call(Method::POST, "/api/erase", all, 200).await;
        assert_eq!(done["deleted"], ROWS);
        service.signal(Signal::SIGKILL);
        service.wait_for_end().await;

        let service = Setup::in_home(home).start().await;
        assert!(stored(&service).await.is_empty());
        service.stop(Signal::SIGTERM).await;
    });
}
