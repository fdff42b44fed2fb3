//! A database that fails in the middle of a page: the page is stored whole or not at all, and once.

use std::sync::Arc;

use chrono::{TimeDelta, Utc};
use sextant_actors::clock::FrozenClock;

use super::{World, event};
use crate::support::app::{TestApp, settings};
use crate::support::cluster::shared;
use crate::support::database::TestDatabase;
use crate::support::dav_server::Peer;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, PostgresProxy, When};

/// What fails: a page's COMMIT, or the statement that stores its items.
const FAULTS: [(When, Act); 8] = [
    (When::CommitAfter("INTO source_items"), Act::CutBefore),
    (When::CommitAfter("INTO source_items"), Act::LoseAnswer),
    // A disk that is full.
    (When::CommitAfter("INTO source_items"), Act::Refuse("53100")),
    (When::CommitAfter("INTO source_items"), Act::HangUp("57P01")),
    (When::Statement("INTO source_items"), Act::CutBefore),
    (When::Statement("INTO source_items"), Act::LoseAnswer),
    (When::Statement("INTO source_items"), Act::Refuse("53100")),
    (When::Statement("INTO source_items"), Act::HangUp("57P01")),
];

#[actix_web::test]
#[expect(clippy::disallowed_methods, reason = "certificates are of this day")]
async fn a_page_that_meets_a_fault_of_the_database_is_stored_once() {
    let test = "a_page_that_meets_a_fault_of_the_database_is_stored_once";
    let Some(server) = Peer::Radicale.start(test).await else {
        return;
    };
    let proxy = PostgresProxy::before(&shared().socket_dir).await;
    let clock = FrozenClock::at(Utc::now());
    let database = TestDatabase::create().await;
    let shared_clock = Arc::new(clock.clone());
    let app = TestApp::start_over_on(&proxy, database, settings(), shared_clock).await;
    let world = World::connect_to(app, server).await;
    for (number, (when, act)) in FAULTS.into_iter().enumerate() {
        let name = format!("event{number}");
        world.put(&name, &event(&name, &name, "")).await;
        let fault = proxy.inject(when, act, 1);
        let fetched = world.fetch().await;
        fault.wait_for(1).await;
        let shown = world.connection().await;
        let health = shown["health"].as_str().unwrap();
        // The source is not to blame.
        assert!(
            ["ok", "syncing"].contains(&health),
            "{act:?} {fetched} {shown}"
        );
        eventually("the page is stored", async || {
            clock.advance(TimeDelta::minutes(20));
            world.titles().await == world.listed()
        })
        .await;
        world.sync().await;
        world.assert_equal().await;
    }
}
