//! A server that misbehaves: nothing is lost, nothing goes elsewhere, and when it is itself again the store equals it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant_actors::clock::{Clock as _, FrozenClock};

use super::{World, credentials, event};
use crate::support::app::{TestApp, settings};
use crate::support::database::TestDatabase;
use crate::support::dav_server::{CREDENTIAL, DavServer, PASSWORD, Peer};
use crate::support::eventually::eventually;
use crate::support::front::Front;
use crate::support::relay::Relay;
use crate::support::sink::Sink;

/// The service, with a clock that a test moves, and a server behind a way that a test leads elsewhere.
struct Led {
    world: World,
    relay: Relay,
    clock: FrozenClock,
    settings: Settings,
}

impl Led {
    async fn connect(test: &str) -> Option<Self> {
        let server = Peer::Radicale.start(test).await?;
        let relay = Relay::start(server.address).await;
        let clock = FrozenClock::at(start());
        let shared = Arc::new(clock.clone());
        let database = TestDatabase::create().await;
        let settings = settings();
        let app = TestApp::start_on(database, settings.clone(), shared).await;
        let world = World::connect_at(app, server, relay.address).await;
        Some(Self {
            world,
            relay,
            clock,
            settings,
        })
    }

    /// A server in place of the real one, which answers every request so.
    async fn impostor(&self, answer: &'static [u8]) -> Sink {
        let sink = Sink::start(Some(certificate(&self.world.server)), move |_| {
            answer.to_vec()
        })
        .await;
        self.relay.lead(sink.address);
        sink
    }

    /// The server is itself again, and every wait has passed: the store equals it.
    async fn recover(&self) {
        self.relay.lead(self.world.server.address);
        self.clock.advance(TimeDelta::days(1));
        self.world.sync().await;
        self.world.assert_equal().await;
        let shown = self.world.connection().await;
        assert_eq!(
            (&shown["health"], &shown["error"]),
            (&json!("ok"), &Value::Null)
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "certificates are of this day")]
fn start() -> chrono::DateTime<Utc> {
    Utc::now()
}

fn certificate(server: &DavServer) -> (&Path, &Path) {
    (&server.certificates.server, &server.certificates.server_key)
}

const GARBAGE: [&[u8]; 6] = [
    b"HTTP/1.1 207 Multi-Status\r\ncontent-length: 46\r\n\r\n<html><body>Sign in to the seeded-hotel</html>",
    b"HTTP/1.1 207 Multi-Status\r\ncontent-length: 5000\r\n\r\n<multistatus xmlns=\"DAV:\"><seeded-hotel",
    b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    b"HTTP/1.1 500 Server Error\r\ncontent-length: 12\r\n\r\nout of order",
    b"seeded-hotel\r\n\r\n",
    b"",
];

#[actix_web::test]
async fn garbage_takes_nothing_away_and_is_not_repeated_to_anyone() {
    let test = "garbage_takes_nothing_away_and_is_not_repeated_to_anyone";
    let Some(led) = Led::connect(test).await else {
        return;
    };
    led.world.put("kept", &event("k@x", "kept", "")).await;
    led.world.sync().await;
    for (number, answer) in GARBAGE.into_iter().enumerate() {
        let name = format!("new{number}");
        let before = led.world.titles().await;
        led.impostor(answer).await;
        led.world.put(&name, &event(&name, &name, "")).await;
        let fetched = led.world.fetch().await;
        assert_eq!(fetched["outcome"], "failed", "{number} {fetched}");
        let shown = led.world.connection().await;
        assert_eq!(shown["health"], "backing_off", "{number} {shown}");
        let runs = format!("/api/connections/{}/runs", led.world.calendar);
        let runs = led.world.app.get(&runs).await.text;
        for told in [fetched.to_string(), shown.to_string(), runs] {
            assert!(!told.contains("seeded"), "{told}");
        }
        assert_eq!(led.world.titles().await, before, "{number}");
        led.recover().await;
    }
}

#[actix_web::test]
async fn r126_a_redirect_to_another_host_gets_nothing() {
    let test = "r126_a_redirect_to_another_host_gets_nothing";
    let Some(led) = Led::connect(test).await else {
        return;
    };
    let caught = Sink::start(Some(certificate(&led.world.server)), |_| Vec::new()).await;
    let to = caught.address;
    let sink = Sink::start(Some(certificate(&led.world.server)), move |_| moved(to)).await;
    led.relay.lead(sink.address);
    let fetched = led.world.fetch().await;
    assert_eq!(fetched["outcome"], "failed", "{fetched}");
    let asked = sink.received();
    assert!(!asked.is_empty() && asked.iter().all(|one| one.contains(CREDENTIAL)));
    assert_eq!(caught.received(), [""; 0]);
    led.recover().await;
}

fn moved(to: SocketAddr) -> Vec<u8> {
    format!("HTTP/1.1 301 Moved\r\nlocation: https://{to}/caught\r\ncontent-length: 0\r\n\r\n")
        .into_bytes()
}

#[actix_web::test]
async fn a_time_to_wait_outlives_restarts_and_nobody_shortens_it() {
    let test = "a_time_to_wait_outlives_restarts_and_nobody_shortens_it";
    let Some(led) = Led::connect(test).await else {
        return;
    };
    let busy = b"HTTP/1.1 503 Busy\r\nretry-after: 7200\r\ncontent-length: 0\r\n\r\n";
    let sink = led.impostor(busy).await;
    assert_eq!(led.world.fetch().await["outcome"], "failed");
    let asked = sink.received().len();
    let until = led.clock.now() + TimeDelta::hours(2);
    let shown = led.world.connection().await;
    let next: chrono::DateTime<Utc> = serde_json::from_value(shown["nextSyncAt"].clone()).unwrap();
    assert!(next >= until - TimeDelta::seconds(1), "{next} {until}");
    let database = led.world.app.stop_in_order().await;
    let app = TestApp::start_on(database, led.settings.clone(), Arc::new(led.clock.clone())).await;
    let world = World { app, ..led.world };
    for passed in [TimeDelta::zero(), TimeDelta::minutes(100)] {
        led.clock.advance(passed);
        assert_eq!(world.fetch().await["outcome"], "waiting");
        let path = format!("/api/connections/{}", world.calendar);
        let sync_now = world.app.post(&format!("{path}/sync-now"), json!({})).await;
        sync_now.expect_problem(409, "conflict", None);
        let restart = world.app.post(&format!("{path}/restart"), json!({})).await;
        assert_eq!(restart.status, 202, "{restart:?}");
        assert_eq!(world.fetch().await["outcome"], "waiting");
    }
    assert_eq!(sink.received().len(), asked, "it was asked before its time");
    let led = Led { world, ..led };
    led.recover().await;
}

/// One server, one credential, two connections: what it asks of the one it asks of both.
#[actix_web::test]
async fn a_time_to_wait_is_of_the_whole_sign_in() {
    let test = "a_time_to_wait_is_of_the_whole_sign_in";
    let Some(led) = Led::connect(test).await else {
        return;
    };
    let mut entered = credentials(&led.world.server, PASSWORD);
    entered["dav"] = json!(format!("https://{}/", led.relay.address));
    let more = json!({"provider": "own_server", "sectors": ["contacts"], "credentials": entered});
    let made = led
        .world
        .app
        .post("/api/connections", more)
        .await
        .expect(201);
    assert_eq!(made["signInId"], led.world.sign_in.as_str());
    let contacts = made["connections"][0]["id"].as_str().unwrap().to_owned();
    let fetch = async |app: &TestApp| {
        let asked = json!({"target": "contacts", "timeout_s": 60});
        let fetched = app
            .post("/api/operator/fetch_live", asked)
            .await
            .expect(200);
        fetched["fetched"][0]["outcome"].clone()
    };
    assert_eq!(fetch(&led.world.app).await, "fetched");
    let busy = b"HTTP/1.1 503 Busy\r\nretry-after: 7200\r\ncontent-length: 0\r\n\r\n";
    let sink = led.impostor(busy).await;
    assert_eq!(led.world.fetch().await["outcome"], "failed");
    let asked = sink.received().len();
    let path = format!("/api/connections/{contacts}");
    eventually("the other rests too", async || {
        fetch(&led.world.app).await == "waiting"
    })
    .await;
    let shown = led.world.app.get(&path).await.expect(200);
    assert_eq!(
        (&shown["health"], &shown["error"]["status"]),
        (&json!("backing_off"), &json!(503))
    );
    let sync_now = led
        .world
        .app
        .post(&format!("{path}/sync-now"), json!({}))
        .await;
    sync_now.expect_problem(409, "conflict", None);
    let database = led.world.app.stop_in_order().await;
    let app = TestApp::start_on(database, led.settings.clone(), Arc::new(led.clock.clone())).await;
    let world = World { app, ..led.world };
    let led = Led { world, ..led };
    assert_eq!(fetch(&led.world.app).await, "waiting");
    assert_eq!(sink.received().len(), asked, "it was asked before its time");
    led.recover().await;
    assert_eq!(fetch(&led.world.app).await, "fetched");
    let shown = led.world.app.get(&path).await.expect(200);
    assert_eq!(
        (&shown["health"], &shown["error"]),
        (&json!("ok"), &Value::Null)
    );
}

#[actix_web::test]
async fn a_slow_server_keeps_nobody_waiting() {
    let test = "a_slow_server_keeps_nobody_waiting";
    let Some(led) = Led::connect(test).await else {
        return;
    };
    led.world.put("a", &event("a@x", "a", "")).await;
    led.world.sync().await;
    led.world.put("b", &event("b@x", "b", "")).await;
    led.clock.advance(TimeDelta::minutes(1));
    led.relay.hold();
    let asked = json!({"target": "calendar", "timeout_s": 1});
    let fetched = led.world.app.post("/api/operator/fetch_live", asked).await;
    let fetched = fetched.expect(200);
    assert_eq!(fetched["fetched"][0]["outcome"], "running", "{fetched}");
    assert_eq!(led.world.connection().await["health"], "syncing");
    assert_eq!(led.world.titles().await, ["a"]);
    led.relay.release();
    led.world.sync().await;
    led.world.assert_equal().await;
}

#[actix_web::test]
async fn a_list_without_an_end_is_given_up_and_takes_nothing_away() {
    let test = "a_list_without_an_end_is_given_up_and_takes_nothing_away";
    let Some(led) = Led::connect(test).await else {
        return;
    };
    led.world.put("a", &event("a@x", "a", "")).await;
    led.world.sync().await;
    let front = Front::start(&led.world.server).await;
    front.rewrite(|body| {
        let more = "<response><href>/op/cal/</href><status>HTTP/1.1 507 More</status></response>";
        body.replace("</multistatus>", &format!("{more}</multistatus>"))
    });
    led.relay.lead(front.address);
    led.world.put("b", &event("b@x", "b", "")).await;
    let fetched = led.world.fetch().await;
    assert_eq!(fetched["outcome"], "failed", "{fetched}");
    assert!(led.world.titles().await.contains(&"a".to_owned()));
    led.recover().await;
}
