//! Data that comes by itself: real servers, the real service, and what of the one is in the other after each round.

mod authority;
mod closing;
mod database;
mod faults;
mod health;
mod home;
mod mail;
mod passes;
mod server;
mod windows;

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::dav_server::{DavServer, PASSWORD, Peer, USER};

/// What connects a server of calendars and contacts.
fn credentials(server: &DavServer, password: &str) -> Value {
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    json!({
        "dav": server.typed().as_str(),
        "user": USER,
        "password": password,
        "ca": authority,
    })
}

/// The service, and a server that it reads.
struct World {
    app: TestApp,
    server: DavServer,
    /// The connection of calendars.
    calendar: String,
    sign_in: String,
}

impl World {
    /// Connects the calendars of a server; `None` where there is none to connect.
    async fn connect(test: &str) -> Option<Self> {
        let server = Peer::Radicale.start(test).await?;
        let app = TestApp::start().await;
        Some(Self::connect_to(app, server).await)
    }

    async fn connect_to(app: TestApp, server: DavServer) -> Self {
        let address = server.address;
        Self::connect_at(app, server, address).await
    }

    /// Connects the calendars of a server that is reached at another address than its own.
    async fn connect_at(app: TestApp, server: DavServer, address: SocketAddr) -> Self {
        let mut entered = credentials(&server, PASSWORD);
        entered["dav"] = json!(format!("https://{address}/"));
        let asked = json!({
            "provider": "own_server",
            "sectors": ["calendar"],
            "credentials": entered,
        });
        let created = app.post("/api/connections", asked).await.expect(201);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let world = Self {
            calendar: text(&created["connections"][0]["id"]),
            sign_in: text(&created["signInId"]),
            app,
            server,
        };
        // The first round begins by itself; whoever asks meanwhile joins it, and would not see what is put after its beginning.
        world.sync().await;
        world
    }

    /// Runs a round, and returns what became of it.
    async fn fetch(&self) -> Value {
        let asked = json!({"target": "calendar", "timeout_s": 60});
        let fetched = self.app.post("/api/operator/fetch_live", asked).await;
        fetched.expect(200)["fetched"][0].clone()
    }

    /// Runs a round that succeeds.
    async fn sync(&self) -> Value {
        let fetched = self.fetch().await;
        assert_eq!(fetched["outcome"], "fetched", "{fetched}");
        fetched
    }

    async fn put(&self, name: &str, body: &str) {
        self.server.put(&format!("/op/cal/{name}.ics"), body).await;
    }

    /// The titles of the series that are stored, in order.
    async fn titles(&self) -> Vec<String> {
        let asked =
            json!({"target": "series", "select": ["title"], "order_by": ["title"], "limit": 1000});
        let answer = self.app.post("/api/data/calendar", asked).await.expect(200);
        let rows = answer["rows"].as_array().unwrap().iter();
        rows.map(|row| row[0].as_str().unwrap().to_owned())
            .collect()
    }

    /// The titles that the server has, as an independent client lists them.
    fn listed(&self) -> Vec<String> {
        let mut titles = titles_of(&self.server.listing("calendar"));
        titles.sort();
        titles
    }

    async fn assert_equal(&self) {
        assert_eq!(self.titles().await, self.listed());
    }

    async fn connection(&self) -> Value {
        let path = format!("/api/connections/{}", self.calendar);
        self.app.get(&path).await.expect(200)
    }

    async fn act(&self, verb: &str, body: Value) -> Value {
        let path = format!("/api/connections/{}/{verb}", self.calendar);
        self.app.post(&path, body).await.expect(200)
    }
}

/// The titles of a listing: by collection and resource, each part as `[uid, title, is_exception]`.
pub fn titles_of(listing: &Value) -> Vec<String> {
    let collections = listing.as_object().unwrap().values();
    let resources = collections.flat_map(|resources| resources.as_object().unwrap().values());
    let parts = resources.flat_map(|parts| parts.as_array().unwrap());
    parts
        .map(|part| part[1].as_str().unwrap().to_owned())
        .collect()
}

/// An event of one hour; `more` are further lines.
fn event(uid: &str, title: &str, more: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//tests//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\n\
         DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nSUMMARY:{title}\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}
