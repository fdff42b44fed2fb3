//! Remote access: turned on and off with what it means said beside it, and the page on which a person shows an agent's key.

use std::net::SocketAddr;

use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::random;
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use crate::harness::element::Role;
use crate::harness::{Console, axe, browser, in_browser, in_browser_with};
use crate::support::stateless_call::stateless_call;
use crate::support::tls_proxy::TlsProxy;
use crate::support::{certificates, http};

const PUBLIC: &str = "https://box.example";

/// The texts of r104, word for word.
const FACTS: [&str; 3] = [
    "A funnel has three ports and no other: 443, 8443 and 10000.",
    "Hosted agents connect on 443 only. On another port nothing connects, and nothing is recorded.",
    "A public host name stays in the public logs of certificates for ever",
];

#[test]
fn r104_remote_access_is_turned_on_and_off_and_says_what_it_means() {
    in_browser("remote::turned_on", async |console| {
        console.browser.expect("400");
        let page = &console.browser;
        page.open("/settings/remote-access").await;
        page.shows("This computer only").await;
        for fact in FACTS {
            page.shows(fact).await;
        }
        let address = page.field("Public address");
        address.fill("http://box.example").await;
        page.button("Turn on").click().await;
        page.shows("Hosted agents call https addresses alone").await;
        address.fill(PUBLIC).await;
        page.button("Turn on").click().await;
        page.shows("Remote access is on.").await;
        page.shows("https://box.example/mcp").await;
        page.shows("agents elsewhere, too").await;
        page.shows("No client has signed in yet.").await;
        let row = console.row("tool=set_exposure").await;
        assert_eq!(row["args"], json!({ "publicUrl": PUBLIC }));
        page.set_width(browser::NARROWEST).await;
        let violations = axe::violations(page).await;
        assert!(violations.is_empty(), "{violations:#?}");

        // Nobody has this name, and nothing after that is tried.
        page.button("Check the way in").click().await;
        page.shows("Failed").await;
        page.shows("Not run").await;
        let check = console.get("/api/status").await["exposure"]["check"].clone();
        assert_eq!(check["ok"], false);
        page.shows(
            check["message"]
                .as_str()
                .unwrap()
                .split(". ")
                .next()
                .unwrap(),
        )
        .await;
        let violations = axe::violations(page).await;
        assert!(violations.is_empty(), "{violations:#?}");

        page.button("Turn off").click().await;
        page.shows("0 clients that signed in must sign in again")
            .await;
        page.the(Role::Button, "Turn off").click().await;
        page.shows("Remote access is off.").await;
        let row = console.row("tool=clear_exposure").await;
        assert_eq!(row["outcome"], "ok");
        assert_eq!(console.get("/api/exposure").await["mode"], "local");
        assert_eq!(
            console.get("/api/status").await["exposure"]["url"],
            Value::Null
        );
    });
}

#[test]
fn r107_a_console_that_answers_to_another_name_says_so_on_every_screen() {
    let name =
        |setup: crate::support::service::Setup| setup.env("REST_ALLOWED_HOSTS", "box.example");
    in_browser_with("remote::banner", name, async |console| {
        console.browser.expect("409");
        let page = &console.browser;
        let banner = "Anyone who can open this port can use this Console.";
        for screen in ["/agents", "/activity", "/settings/remote-access"] {
            page.open(screen).await;
            page.shows(banner).await;
        }
        let address = page.field("Public address");
        address.fill(PUBLIC).await;
        page.button("Turn on").click().await;
        page.shows("is a name of the Console").await;
    });
}

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// A client on this computer that listens for its answer, and asks the agent port as a proxy passes its requests on.
struct ListeningClient {
    agents: String,
    host: String,
    listener: TcpListener,
    id: String,
}

impl ListeningClient {
    async fn register(console: &Console, host: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = Self {
            agents: console.service.agents.trim_end_matches("/mcp").to_owned(),
            host: host.to_owned(),
            listener,
            id: String::new(),
        };
        let body = json!({ "client_name": "A hosted agent", "redirect_uris": [client.callback()] });
        let told = client
            .ask("/register", &body.to_string(), "application/json")
            .await;
        client.id = told["client_id"].as_str().unwrap().to_owned();
        client
    }

    fn callback(&self) -> String {
        let port = self.listener.local_addr().unwrap().port();
        format!("http://127.0.0.1:{port}/callback")
    }

    async fn ask(&self, path: &str, body: &str, kind: &str) -> Value {
        let request = http::builder()
            .build()
            .unwrap()
            .post(format!("{}{path}", self.agents));
        let request = request
            .header("host", &self.host)
            .header("content-type", kind);
        let answer = request.body(body.to_owned()).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        answer.json().await.unwrap()
    }

    /// Where the browser is sent to.
    fn page(&self) -> String {
        let challenge = random::base64url(&Sha256::digest(VERIFIER));
        let query = encoded(&[
            ("client_id", &self.id),
            ("redirect_uri", &self.callback()),
            ("response_type", "code"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        format!("https://{}/authorize?{query}", self.host)
    }

    /// Answers the browser that comes back, and exchanges what it brings for an access token.
    async fn token(&self) -> String {
        let (mut browser, _) = self.listener.accept().await.unwrap();
        let mut head = vec![0; 8192];
        let length = browser.read(&mut head).await.unwrap();
        let head = String::from_utf8_lossy(&head[..length]).into_owned();
        let page = "<!doctype html><title>Client</title>The client has its answer.";
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
            page.len()
        );
        browser.write_all(answer.as_bytes()).await.unwrap();
        let target = head.split(' ').nth(1).unwrap();
        let url = Url::parse(&format!("http://127.0.0.1{target}")).unwrap();
        let code = url
            .query_pairs()
            .find(|(name, _)| name == "code")
            .unwrap()
            .1;
        let form = encoded(&[
            ("grant_type", "authorization_code"),
            ("client_id", &self.id),
            ("code", &code),
            ("redirect_uri", &self.callback()),
            ("code_verifier", VERIFIER),
        ]);
        let told = self
            .ask("/token", &form, "application/x-www-form-urlencoded")
            .await;
        told["access_token"].as_str().unwrap().to_owned()
    }

    /// The first call.
    async fn call(&self, token: &str) {
        let request = http::builder()
            .build()
            .unwrap()
            .post(format!("{}/mcp", self.agents));
        let request = stateless_call(request.header("host", &self.host), token);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
}

fn encoded(pairs: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs).finish()
}

#[test]
fn r103_from_turning_remote_access_on_to_the_first_call_from_elsewhere() {
    let test = "r103_from_turning_remote_access_on_to_the_first_call_from_elsewhere";
    if !certificates::can_be_made(test) {
        return;
    }
    in_browser("remote::journey", async |console| {
        console.browser.expect("403");
        let folder = tempfile::tempdir().unwrap();
        let certificates = certificates::make(folder.path(), "subjectAltName=DNS:box.example");
        let agents: Url = console.service.agents.parse().unwrap();
        let port = SocketAddr::from(([127, 0, 0, 1], agents.port().unwrap()));
        let proxy = TlsProxy::start(port, &certificates).await;
        let host = format!("box.example:{}", proxy.address.port());

        let page = &console.browser;
        page.open("/settings/remote-access").await;
        page.field("Public address")
            .fill(&format!("https://{host}"))
            .await;
        page.button("Turn on").click().await;
        page.shows("Remote access is on.").await;
        let agent = json!({ "name": "hosted", "sectors": ["mail"], "expiresInDays": 30 });
        let made = console
            .service
            .call(Method::POST, "/api/agents", Some(agent), 201)
            .await;
        let client = ListeningClient::register(console, &host).await;

        page.client.goto(&client.page()).await.unwrap();
        page.shows("A hosted agent wants to ask this Sextant").await;
        page.shows("a program on this computer").await;
        page.set_width(browser::NARROWEST).await;
        let violations = axe::violations(page).await;
        assert!(violations.is_empty(), "{violations:#?}");
        page.field("The agent’s key").fill("sxt_wrong").await;
        page.button("Allow").click().await;
        page.shows("No agent has this key.").await;
        page.field("The agent’s key")
            .fill(made["key"].as_str().unwrap())
            .await;
        page.button("Show what this key opens").click().await;
        page.shows("The key is of the agent").await;
        page.shows("mail").await;
        let violations = axe::violations(page).await;
        assert!(violations.is_empty(), "{violations:#?}");
        // The driver may wait for the page that the client answers with.
        let allow = page.button("Allow");
        let ((), token) = tokio::join!(allow.click(), client.token());
        page.shows("The client has its answer.").await;
        client.call(&token).await;

        page.set_width(browser::WIDE).await;
        page.open("/settings/remote-access").await;
        page.shows("A hosted agent").await;
        page.shows("hosted").await;
        let row = console.row("tool=describe_context").await;
        assert_eq!(row["agent_id"], "hosted");
        let row = console.row("tool=oauth_token&decision=deny").await;
        assert_eq!(row["deny_reason"], "authorize: key refused");
    });
}
