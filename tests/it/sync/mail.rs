//! Mail from a server nobody here wrote, compared with what `imaplib` finds there.

use std::net::SocketAddr;

use reqwest::Method;
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::providers::SourceProviders;
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::providers::WayOut;

use crate::support::app::{TestApp, settings};
use crate::support::dovecot::{Dovecot, HOST, PASSWORD, USER};

/// Settings under which the name of the mail server leads to a server of the test.
fn settings_of(server: &Dovecot) -> Settings {
    let to = SocketAddr::from(([127, 0, 0, 1], server.port));
    let diversions = Diversions::new([(Domain::parse(HOST).unwrap(), to)]);
    let authority = std::fs::read_to_string(server.folder.path().join("authority.pem")).unwrap();
    Settings {
        providers: SourceProviders::reached(|_| WayOut {
            diversions: diversions.clone(),
            authorities: Some(authority.clone()),
            ..WayOut::default()
        })
        .unwrap(),
        ..settings()
    }
}

struct World {
    app: TestApp,
    server: Dovecot,
    connection: String,
}

impl World {
    async fn connect(test: &str) -> Option<Self> {
        let server = Dovecot::start(test, None)?;
        let app = TestApp::start_with(settings_of(&server)).await;
        let asked = json!({
            "provider": "own_server",
            "sectors": ["mail"],
            "credentials": {"imap": HOST, "user": USER, "password": PASSWORD},
        });
        let created = app.post("/api/connections", asked).await.expect(201);
        assert_eq!(
            created["connections"][0]["syncWindowDays"], 365,
            "{created}"
        );
        let connection = created["connections"][0]["id"].as_str().unwrap().to_owned();
        Some(Self {
            app,
            server,
            connection,
        })
    }

    async fn sync(&self) -> Value {
        let asked = json!({"target": "mail", "timeout_s": 60});
        let fetched = self.app.post("/api/operator/fetch_live", asked).await;
        let fetched = fetched.expect(200)["fetched"][0].clone();
        assert_eq!(fetched["outcome"], "fetched", "{fetched}");
        fetched
    }

    fn append(&self, subject: &str, flags: &str) {
        self.append_of(subject, flags, 0);
    }

    /// Puts a mail into the inbox that came some days ago; Python's words for it.
    fn append_of(&self, subject: &str, flags: &str, days: u32) {
        self.server.script(&format!(
            "import time\nm.append('INBOX', '{flags}', imaplib.Time2Internaldate(time.time() - 86400 * {days}), \
             b'From: Ada <ada@x.test>\\r\\nTo: op@me.test\\r\\nMessage-ID: <same@x.test>\\r\\nSubject: {subject}\\r\\n\\r\\nHello')"
        ));
    }

    /// Subjects with whether each is read, in order.
    async fn stored(&self) -> Vec<String> {
        let asked = json!({"target": "messages", "select": ["subject", "is_read"], "order_by": ["subject"], "limit": 500});
        let answer = self.app.post("/api/data/mail", asked).await.expect(200);
        let rows = answer["rows"].as_array().unwrap().iter();
        rows.map(|row| format!("{} {}", row[0].as_str().unwrap(), row[1]))
            .collect()
    }
}

#[actix_web::test]
async fn mails_and_their_flags_follow_the_server() {
    let Some(world) = World::connect("mails_and_their_flags_follow_the_server").await else {
        return;
    };
    world.append("one", "");
    world.append("two", "\\\\Seen");
    world.sync().await;
    // Two mails with one Message-ID are two mails.
    assert_eq!(world.stored().await, ["one false", "two true"]);
    let unseen = world
        .server
        .script("m.select('INBOX', readonly=True)\nprint(m.search(None, 'UNSEEN')[1][0].decode())");
    assert_eq!(unseen.trim(), "1", "nothing is marked read");

    world.server.script("m.select('INBOX')\nm.store('1', '+FLAGS', '\\\\Seen')\nm.store('2', '+FLAGS', '\\\\Deleted')\nm.expunge()");
    world.append("three", "");
    let fetched = world.sync().await;
    assert_eq!(fetched["deleted"], 1, "{fetched}");
    assert_eq!(world.stored().await, ["one true", "three false"]);
    let fetched = world.sync().await;
    assert_eq!(
        (&fetched["upserted"], &fetched["deleted"]),
        (&json!(0), &json!(0))
    );
    let boxes = json!({"target": "mailboxes", "select": ["name", "role"], "limit": 50});
    let boxes = world.app.post("/api/data/mail", boxes).await.expect(200);
    assert!(boxes["rows"].to_string().contains("inbox"), "{boxes}");
}

#[actix_web::test]
async fn a_narrower_window_deletes_nothing_and_a_wider_one_fetches_what_is_missing() {
    let test = "a_narrower_window_deletes_nothing_and_a_wider_one_fetches_what_is_missing";
    let Some(world) = World::connect(test).await else {
        return;
    };
    let path = format!("/api/connections/{}", world.connection);
    let narrow = async |days: Value| {
        let request = world.app.request(Method::PATCH, &path);
        let set = world
            .app
            .send(request.json(&json!({"syncWindowDays": days})));
        set.await.expect(200);
    };
    narrow(json!(30)).await;
    for (subject, days) in [("today", 0), ("last month", 20), ("last year", 400)] {
        world.append_of(subject, "", days);
    }
    world.sync().await;
    assert_eq!(world.stored().await, ["last month false", "today false"]);
    narrow(json!(7)).await;
    world.sync().await;
    assert_eq!(world.stored().await, ["last month false", "today false"]);
    narrow(json!(null)).await;
    world.sync().await;
    let all = ["last month false", "last year false", "today false"];
    assert_eq!(world.stored().await, all);
    // What is outside the window is not judged by it; what is inside goes when the server has it no more.
    narrow(json!(7)).await;
    world
        .server
        .script("m.select('INBOX')\nm.store('1:3', '+FLAGS', '\\\\Deleted')\nm.expunge()");
    world.sync().await;
    let left = world.stored().await;
    assert!(!left.contains(&"today false".to_owned()), "{left:?}");
}
