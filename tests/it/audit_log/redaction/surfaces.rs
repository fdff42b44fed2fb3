//! Redaction through every surface that records arguments: both eras of the agent port, the read mirror, and the
//! operator's live fetch; with escaped and with repeated names.

use reqwest::Method;
use serde_json::{Value, json};

use super::{PLANTED, SECRETIVE, SEED_VARIABLE, USUAL_SEED, expected_args, junk};
use crate::audit_log::row::rows;
use crate::mcp::support::{Client, body_of, modern_meta};
use crate::query::chance::{Chance, seeds_of};
use crate::support::TestApp;
use crate::support::eventually::eventually;

/// Arguments generated from one seed, each sent to each surface.
const SENT: u64 = 40;
const TOOL: &str = "fetch_live";

/// The surfaces of one service.
struct Surfaces {
    app: TestApp,
    agent: Client,
    session: String,
}

impl Surfaces {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let key = app.key_of("claude", &["home"]).await;
        let agent = Client::new(&format!("http://{}/mcp", app.agents), Some(key));
        let session = agent.session().await;
        Self {
            app,
            agent,
            session,
        }
    }

    /// Makes four calls, each of which leaves a row.
    async fn send(&self, arguments: &str) {
        let message = |meta: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{TOOL}","arguments":{arguments}{meta}}}}}"#
            )
        };
        let modern = self
            .agent
            .post(message(&format!(r#","_meta":{}"#, modern_meta())))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", TOOL);
        let in_session = self.agent.post(message(""));
        let in_session = in_session.header("mcp-session-id", &self.session);
        for request in [modern, in_session] {
            let (status, body) = body_of(request).await;
            assert_eq!(status, 200, "{body}");
        }
        let mirror = self.app.request(Method::POST, "/api/read/fetch_live");
        let mirror = mirror.bearer_auth(self.agent.key.as_ref().unwrap());
        let operator = self.app.request(Method::POST, "/api/operator/fetch_live");
        for request in [mirror, operator] {
            let request = request.header("content-type", "application/json");
            let answer = self.app.send(request.body(arguments.to_owned())).await;
            assert_eq!(answer.status, 400, "{answer:?}");
        }
    }
}

/// JSON with the same meaning in a form that is hard to search: names with escaped letters, and earlier duplicates of
/// names that are overridden.
fn written(value: &Value, chance: &mut Chance) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item, chance)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let mut parts = Vec::new();
            for (name, value) in fields {
                if chance.is(20) {
                    parts.push(format!(r#"{}:"{PLANTED}""#, escaped(name, chance)));
                }
                let value = written(value, chance);
                parts.push(format!("{}:{value}", escaped(name, chance)));
            }
            format!("{{{}}}", parts.join(","))
        }
        plain => plain.to_string(),
    }
}

fn escaped(name: &str, chance: &mut Chance) -> String {
    if chance.is(40) {
        return json!(name).to_string();
    }
    let units = name.encode_utf16();
    let escapes: String = units.map(|unit| format!("\\u{unit:04x}")).collect();
    format!("\"{escapes}\"")
}

#[actix_web::test]
async fn r026_r045_on_no_surface_does_a_value_under_a_matching_name_reach_the_record() {
    for seed in seeds_of(SEED_VARIABLE, USUAL_SEED) {
        let surfaces = Surfaces::open().await;
        let mut expected = Vec::new();
        for number in 0..SENT {
            let mut chance = Chance::of(seed).part(number);
            let name = *chance.one_of(&SECRETIVE);
            let arguments =
                json!({ "target": "home", name: { "a": PLANTED }, "note": junk(&mut chance) });
            surfaces.send(&written(&arguments, &mut chance)).await;
            expected.extend(vec![expected_args(&arguments); 4]);
        }
        let owner = surfaces.app.database.connect().await;
        let mut found = Vec::new();
        eventually("every row has landed", async || {
            found = rows(&owner).await;
            found.len() >= expected.len()
        })
        .await;
        let found: Vec<Value> = found.into_iter().filter_map(|row| row.args).collect();
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "seed {seed}, row {at}");
        }
        assert_eq!(found.len(), expected.len(), "seed {seed}");
        let leaks = "SELECT count(*) FROM audit_log WHERE args::text LIKE '%' || $1 || '%'";
        let leaks: i64 = owner.query_one(leaks, &[&PLANTED]).await.unwrap().get(0);
        assert_eq!(leaks, 0, "seed {seed}");
    }
}
