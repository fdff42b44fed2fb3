//! Connections that cheap reads share: whatever becomes of one, every call is answered.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use sextant::db::{PipeTurn, Pipes, PoolLimits};
use tokio::runtime::Builder;

use crate::query::house::House;
use crate::support::TestDatabase;
use crate::support::eventually::eventually;

const LOCKED: &str = "finance.accounts";
const FREE: &str = "home.entities";

/// The house, with its thread's shared connection open.
async fn house() -> House {
    let house = House::build().await;
    for table in [LOCKED, FREE] {
        let connection = house.connect(table, table).await;
        let table = sextant::catalog::by_target(table).unwrap();
        house.fill(connection, table, 1, 20).await;
    }
    turn(&house.readers().pipes).await;
    house
}

async fn turn(pipes: &Pipes) -> PipeTurn {
    let mut taken = None;
    eventually("the shared connection is open", async || {
        taken = pipes.take_turn();
        taken.is_some()
    })
    .await;
    taken.unwrap()
}

async fn ask(house: &House, target: &str) -> usize {
    let answer: Value = house.query(json!({"target": target, "limit": 10})).await;
    answer["rows"].as_array().unwrap().len()
}

#[actix_rt::test]
async fn a_read_that_is_slow_on_the_shared_connection_is_answered_on_one_of_its_own() {
    let house = house().await;
    let holder = house.database.connect_as_superuser().await;
    let hold = format!("BEGIN; LOCK TABLE {LOCKED} IN ACCESS EXCLUSIVE MODE");
    holder.batch_execute(&hold).await.unwrap();
    let release = async {
        // These come behind it on the shared connection.
        let neighbours = join_all((0..10).map(|_| ask(&house, FREE))).await;
        assert_eq!(neighbours, [10; 10]);
        let cheap = || house.readers().cheap.in_use().lent;
        eventually("it waits on its own", async || cheap() == 1).await;
        holder.batch_execute("COMMIT").await.unwrap();
    };
    let (rows, ()) = tokio::join!(ask(&house, LOCKED), release);
    assert_eq!(rows, 10);
}

#[actix_rt::test]
async fn a_shared_connection_that_is_killed_loses_no_call() {
    let house = house().await;
    for _ in 0..5 {
        let turn = turn(&house.readers().pipes).await;
        let row = turn.client().query_one("SELECT pg_backend_pid()", &[]);
        let pid: i32 = row.await.unwrap().get(0);
        drop(turn);
        let kill = async {
            let killed = house
                .owner
                .query_one("SELECT pg_terminate_backend($1)", &[&pid])
                .await;
            assert!(killed.unwrap().get::<_, bool>(0));
        };
        let calls = join_all((0..100).map(|_| ask(&house, FREE)));
        let (answered, ()) = tokio::join!(calls, kill);
        assert_eq!(answered, [10; 100]);
    }
}

#[actix_rt::test]
async fn a_shared_connection_has_a_bounded_number_of_reads_and_the_next_is_answered_elsewhere() {
    let house = house().await;
    let pipes = &house.readers().pipes;
    let turns: Vec<PipeTurn> = std::iter::from_fn(|| pipes.take_turn())
        .take(1000)
        .collect();
    assert_eq!(turns.len(), 32);
    assert_eq!(house.readers().cheap.in_use().idle, 0);
    assert_eq!(ask(&house, FREE).await, 10);
    assert_eq!(house.readers().cheap.in_use().idle, 1);
    drop(turns);
    assert!(pipes.take_turn().is_some());
}

/// They are answered while the agent's slow reads take up all of its slots.
#[actix_rt::test]
async fn sums_of_few_months_are_read_on_the_shared_connection() {
    let house = house().await;
    let booking = "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on)
        SELECT gen_random_uuid(), user_id, id, 'one', -4, '2026-03-31' FROM connections LIMIT 1";
    house.owner.batch_execute(booking).await.unwrap();
    let months = async |more: Value| {
        let mut filter = json!({"booked_on": {"gte": "2026-03-01", "lt": "2026-04-01"}});
        let members = more.as_object().unwrap().clone();
        filter.as_object_mut().unwrap().extend(members);
        let asked = json!({"target": "finance.transactions", "group_by": ["booked_on:month"], "where": filter});
        let answer = house.query(asked).await;
        assert_eq!(answer["rows"].as_array().unwrap().len(), 1, "{answer}");
    };
    months(json!({"amount": {"lt": 0}})).await;
    months(json!({})).await;
    let readers = house.readers();
    assert_eq!(
        (readers.other.in_use().idle, readers.cheap.in_use().idle),
        (0, 0)
    );
    months(json!({"not": {"category": {"contains": "food"}}})).await;
    assert_eq!(
        (readers.other.in_use().idle, readers.cheap.in_use().idle),
        (1, 0)
    );
}

#[actix_rt::test]
async fn the_connection_of_a_thread_that_ended_makes_room_for_anothers() {
    let limits = PoolLimits {
        pipes_max: 1,
        ..PoolLimits::default()
    };
    let house = Arc::new(House::within(limits).await);
    let pipes = house.readers().pipes.clone();
    std::thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(turn(&pipes));
        // Nobody else has one as long as this thread lives.
        let others = std::thread::scope(|scope| {
            let other = scope.spawn(|| pipes.take_turn().is_some());
            other.join().unwrap()
        });
        assert!(!others);
    })
    .join()
    .unwrap();
    turn(&house.readers().pipes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_stop_there_is_no_shared_connection() {
    let database = TestDatabase::create().await;
    let open = database
        .open()
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let pipes = open.readers().pipes.clone();
    drop(turn(&pipes).await);
    open.stop().await.unwrap();
    assert!(pipes.take_turn().is_none());
}
