//! Refresh tokens rotate; the one before gives the same pair again for a minute, and an older one is known to be stolen.

use std::sync::Arc;

use chrono::TimeDelta;
use sextant::app::Settings;
use sextant::bridge::BridgeOptions;
use sextant_actors::clock::{Clock as _, FrozenClock, SystemClock};

use super::client::refused;
use super::{HOST, RemoteClient, key_of, world};
use crate::exposure::{PUBLIC, call, publish, status_of};
use crate::support::app::settings;
use crate::support::{TestApp, TestDatabase};

#[actix_web::test]
async fn a_refresh_gives_another_pair_and_the_one_before_gives_it_once_more() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let first = client.sign_in(&key).await;
    let second = client.refresh(&first.refresh).await.unwrap();
    assert_ne!(first.access, second.access);
    assert_ne!(first.refresh, second.refresh);
    // What was under way with the token before goes on.
    assert_eq!(status_of(call(&app, HOST, &first.access)).await, 200);
    let again = client.refresh(&first.refresh).await.unwrap();
    assert_eq!(
        (&again.access, &again.refresh),
        (&second.access, &second.refresh)
    );
    // Also over a restart: nothing of it is kept in memory.
    let app = app.restart().await;
    let client = client.before(&app);
    let again = client.refresh(&first.refresh).await.unwrap();
    assert_eq!(
        (&again.access, &again.refresh),
        (&second.access, &second.refresh)
    );
    assert_eq!(status_of(call(&app, HOST, &again.access)).await, 200);
    let third = client.refresh(&second.refresh).await.unwrap();
    assert_eq!(status_of(call(&app, HOST, &third.access)).await, 200);
}

#[actix_web::test]
async fn a_refresh_token_that_was_used_long_before_ends_the_sign_in_and_its_sessions() {
    let (app, key) = world().await;
    let other = key_of(&app, "other", &["mail"]).await;
    let client = RemoteClient::register(&app).await;
    let (first, others) = (client.sign_in(&key).await, client.sign_in(&other).await);
    let second = client.refresh(&first.refresh).await.unwrap();
    let third = client.refresh(&second.refresh).await.unwrap();
    assert_eq!(status_of(call(&app, HOST, &third.access)).await, 200);
    assert_eq!(
        client.refresh(&first.refresh).await.unwrap_err(),
        refused(400, "invalid_grant")
    );
    assert_eq!(status_of(call(&app, HOST, &third.access)).await, 401);
    assert_eq!(
        client.refresh(&third.refresh).await.unwrap_err(),
        refused(400, "invalid_grant")
    );
    let live = app.sessions("?agent=claude").await;
    assert_eq!(live.as_array().unwrap().len(), 0);
    assert_eq!(status_of(call(&app, HOST, &others.access)).await, 200);
    assert_eq!(
        status_of(call(&app, HOST, &key)).await,
        200,
        "the key itself is as good as before"
    );
}

#[actix_web::test]
async fn a_refresh_token_is_its_clients_and_a_forged_one_ends_nothing_else() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let thief = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    let grant = || refused(400, "invalid_grant");
    assert_eq!(thief.refresh(&tokens.refresh).await.unwrap_err(), grant());
    for forged in [
        "",
        "sxr_",
        "sxr_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        &tokens.access,
        &key,
    ] {
        let expected = if forged.is_empty() {
            refused(400, "invalid_request")
        } else {
            grant()
        };
        assert_eq!(
            client.refresh(forged).await.unwrap_err(),
            expected,
            "{forged}"
        );
    }
    assert!(client.refresh(&tokens.refresh).await.is_ok());
}

#[actix_web::test]
async fn two_refreshes_at_once_get_one_pair() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let tokens = client.sign_in(&key).await;
    let refreshes = (0..8).map(|_| client.refresh(&tokens.refresh));
    let all = futures_util::future::join_all(refreshes).await;
    let all: Vec<_> = all.into_iter().map(Result::unwrap).collect();
    for given in &all {
        assert_eq!(given.refresh, all[0].refresh);
        assert_eq!(given.access, all[0].access);
    }
    assert_eq!(status_of(call(&app, HOST, &all[0].access)).await, 200);
    assert!(client.refresh(&all[0].refresh).await.is_ok());
}

/// A service whose clock stands, with access tokens that serve for an hour.
async fn at_rest() -> (TestApp, Arc<FrozenClock>) {
    let clock = Arc::new(FrozenClock::at(SystemClock.now()));
    let settings = Settings {
        bridge: BridgeOptions {
            access_life: TimeDelta::hours(1),
            ..BridgeOptions::default()
        },
        ..settings()
    };
    let app = TestApp::start_on(TestDatabase::create().await, settings, clock.clone()).await;
    publish(&app, PUBLIC).await;
    (app, clock)
}

#[actix_web::test]
async fn tokens_end_by_the_clock_and_the_window_of_a_repeated_refresh_does_too() {
    let (app, clock) = at_rest().await;
    let key = key_of(&app, "claude", &["mail"]).await;
    let client = RemoteClient::register(&app).await;
    let first = client.sign_in(&key).await;
    assert_eq!(first.expires_in, 3600);
    clock.advance(TimeDelta::minutes(59));
    assert_eq!(status_of(call(&app, HOST, &first.access)).await, 200);
    clock.advance(TimeDelta::minutes(1));
    assert_eq!(status_of(call(&app, HOST, &first.access)).await, 401);
    let second = client.refresh(&first.refresh).await.unwrap();
    clock.advance(TimeDelta::seconds(60));
    assert!(client.refresh(&first.refresh).await.is_ok());
    clock.advance(TimeDelta::seconds(1));
    assert!(client.refresh(&first.refresh).await.is_err());
    assert!(
        client.refresh(&second.refresh).await.is_err(),
        "it ended with the theft"
    );
    let code = client.code(&key).await;
    clock.advance(TimeDelta::seconds(61));
    assert_eq!(
        client.exchange(&code).await.unwrap_err(),
        refused(400, "invalid_grant")
    );
    let form = client.form().await;
    clock.advance(TimeDelta::minutes(11));
    let late = client.submit(&[("form", &form), ("key", &key)]).await;
    assert_eq!(late.status, 400);
    let near_end = app
        .amend_agent("claude", serde_json::json!({ "expiresInDays": 1 }))
        .await;
    near_end.expect(200);
    clock.advance(TimeDelta::hours(24) - TimeDelta::minutes(10));
    let last = client.sign_in(&key).await;
    assert!(
        last.expires_in <= 600,
        "a token ends with its key: {last:?}"
    );
}

#[actix_web::test]
async fn a_registration_that_never_led_to_a_token_ends_after_a_day_and_the_client_is_told_to_register_again()
 {
    let (app, clock) = at_rest().await;
    let key = key_of(&app, "claude", &["mail"]).await;
    let [unused, used] = [
        RemoteClient::register(&app).await,
        RemoteClient::register(&app).await,
    ];
    let tokens = used.sign_in(&key).await;
    let code = unused.code(&key).await;
    clock.advance(TimeDelta::hours(24));
    assert!(unused.ask(&[]).await.text.contains("not known here"));
    let refused_code = unused.exchange(&code).await.unwrap_err();
    assert_eq!(refused_code, refused(401, "invalid_client"));
    assert!(used.refresh(&tokens.refresh).await.is_ok());
    assert_eq!(used.ask(&[]).await.status, 200);
}

#[actix_web::test]
async fn a_sign_in_that_is_stolen_takes_the_token_before_with_it() {
    let (app, key) = world().await;
    let client = RemoteClient::register(&app).await;
    let first = client.sign_in(&key).await;
    let second = client.refresh(&first.refresh).await.unwrap();
    let third = client.refresh(&second.refresh).await.unwrap();
    // Both serve for a moment beside each other.
    assert_eq!(status_of(call(&app, HOST, &second.access)).await, 200);
    assert!(client.refresh(&first.refresh).await.is_err());
    for token in [&second.access, &third.access] {
        assert_eq!(status_of(call(&app, HOST, token)).await, 401);
    }
}

#[actix_web::test]
async fn nothing_that_is_given_out_while_a_theft_is_found_outlives_the_sign_in() {
    let (app, clock) = at_rest().await;
    let key = key_of(&app, "claude", &["mail"]).await;
    let client = RemoteClient::register(&app).await;
    for round in 0..30 {
        let first = client.sign_in(&key).await;
        let second = client.refresh(&first.refresh).await.unwrap();
        // The window of the repeated answer has passed, and with it the minute in which requests are counted.
        clock.advance(TimeDelta::seconds(61));
        let (good, stolen) = tokio::join!(
            client.refresh(&second.refresh),
            client.refresh(&first.refresh)
        );
        assert!(stolen.is_err(), "{round}");
        let tokens = [Some(&second), good.as_ref().ok()];
        for tokens in tokens.into_iter().flatten() {
            let status = status_of(call(&app, HOST, &tokens.access)).await;
            assert_eq!(status, 401, "{round}");
        }
    }
}
