//! The official clients sign in behind nginx with TLS, and go on with tokens: registered or known by a document, refreshed, and ended.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::bridge::{BridgeOptions, DocumentWay};
use sextant_actors::clock::{Clock as _, FrozenClock, SystemClock};
use sextant_connectors::guard::{Diversions, Domain, Trust};
use tempfile::TempDir;

use super::key_of;
use crate::exposure::publish;
use crate::support::app::settings;
use crate::support::certificates::{self, Certificates};
use crate::support::clients::{Conversation, PEERS, Peer};
use crate::support::eventually::eventually;
use crate::support::named_world::{self, NamedWorld};
use crate::support::nginx::{self, Nginx, Served};
use crate::support::{TestApp, TestDatabase, ports};

const NAME: &str = "box.example";
const FILES: &str = "client.example";
const DOCUMENT: &str = "https://client.example/me.json";

/// A service behind nginx, and names that lead there.
pub struct World {
    pub app: TestApp,
    clock: Arc<FrozenClock>,
    /// What a client is given.
    pub url: String,
    pub names: NamedWorld,
    _nginx: Nginx,
    _certificates: TempDir,
}

fn has_what_it_needs(test: &str) -> bool {
    certificates::can_be_made(test)
        && nginx::is_installed(test)
        && named_world::can_be_entered(test)
}

impl World {
    /// `None` where something is missing.
    pub async fn start(test: &str) -> Option<Self> {
        if !has_what_it_needs(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("subjectAltName=DNS:{NAME},DNS:{FILES}");
        let certificates = certificates::make(folder.path(), &names);
        let clock = Arc::new(FrozenClock::at(SystemClock.now()));
        // Where nginx will listen is known first, for the names that lead there.
        let files = ports::unused();
        let app = TestApp::start_on(
            TestDatabase::create().await,
            with_documents_at(files, &certificates),
            clock.clone(),
        )
        .await;
        let served = Served {
            name: NAME,
            files_name: FILES,
            port: app.agents,
        };
        let nginx = Nginx::start_at(files, &served, &certificates).await;
        let document = json!({
            "client_id": DOCUMENT, "client_name": "Official client",
            "redirect_uris": ["http://localhost:3999/callback", "http://127.0.0.1:6276/oauth/callback"],
        });
        nginx.put("me.json", &document.to_string());
        let url = format!("https://{NAME}:{files}/mcp");
        publish(&app, &url).await;
        let names = NamedWorld::new(&[NAME, FILES], &certificates.authority);
        Some(Self {
            app,
            clock,
            url,
            names,
            _nginx: nginx,
            _certificates: folder,
        })
    }

    async fn sign_in(&self, peer: Peer, key: &str, document: Option<&str>) -> Conversation {
        peer.sign_in(&self.names, &self.url, key, document).await
    }

    /// Waits until this many tokens were given out for codes, and this many for refresh tokens.
    async fn has_given(&self, what: &str, wanted: [usize; 2]) {
        eventually(what, async || {
            let rows = self.app.audit_rows(0).await;
            let count = |grant: &str| {
                rows.iter()
                    .filter(|row| row["args"]["grant"] == grant)
                    .count()
            };
            ["authorization_code", "refresh_token"].map(count) == wanted
        })
        .await;
    }
}

/// Documents are fetched from the second name, which leads to nginx; access tokens serve for two seconds.
fn with_documents_at(port: u16, certificates: &Certificates) -> Settings {
    let authority = std::fs::read(&certificates.authority).unwrap();
    let leads = (Domain::parse(FILES).unwrap(), ([127, 0, 0, 1], port).into());
    Settings {
        bridge: BridgeOptions {
            access_life: TimeDelta::seconds(2),
            documents: DocumentWay {
                names: Diversions::new([leads]),
                trust: Some(Trust::with_authorities(&authority).unwrap()),
            },
        },
        ..settings()
    }
}

/// Those that are here and sign in.
fn peers(test: &str) -> Vec<Peer> {
    let official = PEERS.into_iter().filter(|peer| peer.signs_in());
    official.filter(|peer| peer.is_installed(test)).collect()
}

async fn assert_served(client: &mut Conversation, sectors: &Value) {
    let answer = client.call("describe_context", &json!({})).await;
    assert_eq!(answer["error"], false, "{}: {answer}", client.peer);
    let context = answer["text"][0].as_str().unwrap();
    let context: Value = serde_json::from_str(context).unwrap();
    assert_eq!(context["sectors"], *sectors, "{}", client.peer);
}

/// One test, since the Inspector listens for its answer at one port of its own.
#[actix_web::test]
async fn r067_r103_official_clients_sign_in_both_ways_refresh_follow_an_edit_and_end_with_the_key()
{
    let test =
        "r067_r103_official_clients_sign_in_both_ways_refresh_follow_an_edit_and_end_with_the_key";
    let Some(world) = World::start(test).await else {
        return;
    };
    let mut signed_in = 0;
    for peer in peers(test) {
        for document in [None, Some(DOCUMENT)] {
            world.lives_through(peer, document, signed_in).await;
            signed_in += 1;
            // The clock stands but for this, and with it the count of requests in a minute.
            world.clock.advance(TimeDelta::minutes(1));
        }
    }
}

impl World {
    /// A client's life; `before` have had theirs.
    async fn lives_through(&self, peer: Peer, document: Option<&str>, before: usize) {
        let way = format!("{peer}, {document:?}");
        let key = key_of(&self.app, "claude", &["mail"]).await;
        let mut client = self.sign_in(peer, &key, document).await;
        let greeting = &client.greeting;
        assert!(greeting["refused"].is_null(), "{way}: {greeting}");
        let tools = client.list().await;
        assert_eq!(
            tools.as_array().map(Vec::len),
            Some(7),
            "{way}: {}",
            client.greeting
        );
        assert_served(&mut client, &json!(["mail"])).await;
        self.has_given(&way, [before + 1, before]).await;
        let exposure = self.app.get("/api/exposure").await.expect(200);
        let [sign_in] = &exposure["signIns"].as_array().unwrap()[..] else {
            panic!("{way}: {exposure}")
        };
        assert_eq!(sign_in["clientId"] == DOCUMENT, document.is_some(), "{way}");
        let sessions = self.app.sessions("?agent=claude").await;
        assert!(
            sessions
                .as_array()
                .unwrap()
                .iter()
                .all(|session| session["via"] == "bridge")
        );

        client.expire().await;
        self.clock.advance(TimeDelta::seconds(3));
        assert_served(&mut client, &json!(["mail"])).await;
        self.has_given(&way, [before + 1, before + 1]).await;

        let edited = json!({ "sectors": ["home"] });
        self.app.amend_agent("claude", edited).await.expect(200);
        // A session of the older era has ended, and clients that keep one leave it to their hosts to begin another.
        if peer.has_no_session() || !peer.keeps_its_connection() {
            assert_served(&mut client, &json!(["home"])).await;
        }
        self.app.revoke_agent("claude").await.expect(200);
        let answer = client.call("describe_context", &json!({})).await;
        assert!(answer["text"].is_null(), "{way}: {answer}");
    }
}
