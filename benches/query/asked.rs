//! What is measured: the service on its agent port, and PostgreSQL alone with the SQL that our compiler makes.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sextant::app::App;
use sextant::catalog;
use sextant::query::check::{CheckedQuery, check_query};
use sextant::query::compile::{self, Plan, Statement};
use sextant::query::param::Param;
use sextant::query::request::Request;
use sextant::query::time::LocalTime;
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::data::{Data, SOME_ID};
use super::kinds::Kind;

const VERSION: &str = "2026-07-28";
/// The sectors of the agent.
const GRANTED: [Sector; 2] = [Sector::Finance, Sector::Mail];
/// What `describe_context` reads.
const STANDING: &str = include_str!("../../sql/statements/connections/standing.sql");

/// The agent port, with one agent.
pub struct Port {
    url: String,
    bearer: String,
    client: reqwest::Client,
}

impl Port {
    pub async fn open(app: &App) -> Self {
        let client = crate::http::builder().build().unwrap();
        let wanted = json!({"name": "agent", "sectors": GRANTED.map(Sector::name)});
        let made = client.post(format!("http://{}/api/agents", app.console));
        let made: Value = made
            .json(&wanted)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        Self {
            url: format!("http://{}/mcp", app.agents),
            bearer: made.get("key").and_then(Value::as_str).unwrap().to_owned(),
            client,
        }
    }

    /// Makes a query; returns how long an answer with rows took.
    pub async fn ask(&self, kind: Kind, arguments: &Value) -> Duration {
        let begun = Instant::now();
        let told = self.call(kind.tool(), arguments).await;
        let lasted = begun.elapsed();
        let answer: Value = serde_json::from_str(&told).unwrap_or_else(|_| panic!("{told}"));
        let has_rows = answer
            .get("rows")
            .and_then(Value::as_array)
            .is_some_and(|rows| !rows.is_empty());
        let is_whole = ["record", "tables", "sectors"]
            .iter()
            .any(|name| answer.get(name).is_some());
        assert!(has_rows || is_whole, "{told}");
        lasted
    }

    /// The member `name` of an answer.
    pub async fn member(&self, kind: Kind, arguments: &Value, name: &str) -> Value {
        let told = self.call(kind.tool(), arguments).await;
        let answer: Value = serde_json::from_str(&told).unwrap();
        answer.get(name).unwrap().clone()
    }

    async fn call(&self, tool: &str, arguments: &Value) -> String {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        }}});
        let request = self
            .client
            .post(&self.url)
            .bearer_auth(&self.bearer)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", VERSION)
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool);
        let told = request
            .json(&message)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        // The answer itself, or the event that holds it.
        let json = told.get(told.find('{').unwrap()..).unwrap();
        let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
        let answer = values.next().unwrap().unwrap();
        let text = answer
            .pointer("/result/content/0/text")
            .and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{told}")).to_owned()
    }
}

/// PostgreSQL alone.
pub struct Direct {
    client: Client,
}

impl Direct {
    pub async fn open(data: &Data) -> Self {
        Self {
            client: data.reader().await,
        }
    }

    /// How long the same statement takes, its rows read.
    pub async fn ask(&self, kind: Kind, arguments: &Value) -> Duration {
        let statement = statement(kind, arguments);
        let values: Vec<(&(dyn ToSql + Sync), Type)> = statement
            .params
            .iter()
            .map(|param: &Param| (param.as_sql(), param.sql_type()))
            .collect();
        let begun = Instant::now();
        let rows = self.client.query_typed(&statement.sql, &values).await;
        let lasted = begun.elapsed();
        assert!(!rows.unwrap().is_empty());
        lasted
    }
}

fn statement(kind: Kind, arguments: &Value) -> Statement {
    let table = catalog::by_target(kind.target()).unwrap();
    match kind {
        Kind::Record => {
            return compile::record(OPERATOR, table, SOME_ID.parse().unwrap(), false);
        }
        Kind::Schema => return compile::counts(OPERATOR, &[table]),
        Kind::Schemas => {
            let granted = GRANTED.into_iter().flat_map(catalog::sector);
            return compile::counts(OPERATOR, &granted.collect::<Vec<_>>());
        }
        Kind::Context => {
            let names = GRANTED.map(|sector| sector.name().to_owned());
            return Statement {
                sql: STANDING.to_owned(),
                params: vec![Param::Id(OPERATOR), Param::Texts(names.to_vec())],
                plan: Plan::Lasting,
            };
        }
        _ => {}
    }
    let time = LocalTime {
        now: DateTime::<Utc>::UNIX_EPOCH,
        zone: chrono_tz::UTC,
    };
    let request = Request::parse(arguments).unwrap();
    match check_query(&request, OPERATOR, &time).unwrap() {
        CheckedQuery::Rows(checked) => {
            compile::rows(&checked, checked.budget.text_chars(checked.is_selected))
        }
        CheckedQuery::Groups(grouped) => compile::groups(&grouped, grouped.budget.text_chars(true)),
    }
}
