//! The service on ports of its own, over a database of its own: one method a request.

use std::future::pending;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use sextant::app::{App, Settings};
use sextant::bridge::BridgeOptions;
use sextant::calls::{Clients, ToolService, ToolServiceParts};
use sextant::capacity::Quotas;
use sextant::config::ZoneSource;
use sextant::db::{Database, Readers, ServicePool};
use sextant::doctor::DoctorWay;
use sextant::export;
use sextant::http::console::ReadLimits;
use sextant::http::host_check::AllowedHosts;
use sextant::http::wire;
use sextant::ingest::limits::PushLimits;
use sextant::providers::SourceProviders;
use sextant::sealing::CredentialKeys;
use sextant_actors::clock::{Clock, FrozenClock, SystemClock};
use sextant_actors::domain::Digest;
use sextant_actors::limits::TreeLimits;
use sextant_actors::sessions::{ClientInfo, Era, Lease};
use sextant_actors::tree::TreePorts;
use sextant_connectors::providers::WayOut;
use uuid::Uuid;

use super::TestDatabase;
use super::database::administer;
use super::eventually::eventually;
use super::postgres_proxy::PostgresProxy;

/// Short, so that tests need not wait for audit rows.
const FLUSH_INTERVAL: Duration = Duration::from_millis(20);

/// The largest push that these tests send, compressed and decoded.
const BODY_BYTES_MAX: u64 = 1024 * 1024;

/// The running service, with both its ports.
pub struct TestApp {
    app: App,
    pub pool: ServicePool,
    readers: Readers,
    client: reqwest::Client,
    // Last, because fields are dropped in order: its clients must be gone first.
    pub database: TestDatabase,
}

impl Deref for TestApp {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}

/// A folder that no other test has; it is made by whoever writes into it first.
fn fresh_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!(
        "service-{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The same, made.
fn made_folder() -> PathBuf {
    let folder = fresh_folder();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The settings of a test's service: those that a test does not set itself.
pub fn settings() -> Settings {
    Settings {
        bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
        console_port: 0,
        agent_port: 0,
        allowed_hosts: AllowedHosts::default(),
        trusted_proxies: Vec::new(),
        bridge: BridgeOptions::default(),
        doctor: DoctorWay::default(),
        zone: chrono_tz::Europe::Berlin,
        zone_source: ZoneSource::Setting,
        pushes: PushLimits {
            body_bytes_max: BODY_BYTES_MAX,
            ..PushLimits::default()
        },
        journal: None,
        exports: export::ExportLimits::default(),
        uploads: sextant::uploads::UploadLimits::below(&fresh_folder()),
        imports: sextant::import::ImportLimits::in_folder(std::env::temp_dir()),
        reads: ReadLimits::default(),
        connections: wire::ConnectionLimits::default(),
        limits: TreeLimits {
            audit_flush_interval: FLUSH_INTERVAL,
            ..TreeLimits::default()
        },
        providers: SourceProviders::reached(|_| WayOut::default()).unwrap(),
        keys: CredentialKeys::open([None, None], &made_folder()).unwrap(),
    }
}

/// An answer whose body has been read completely.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let media = headers.get(CONTENT_TYPE);
        let text = match media {
            // It has no end.
            Some(media) if media == "text/event-stream" => String::new(),
            _ => response.text().await.unwrap(),
        };
        Self {
            status,
            headers,
            text,
        }
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The body as JSON; asserts the status.
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        self.json()
    }

    /// Asserts that this is a problem with this status, code and field.
    pub fn expect_problem(self, status: u16, code: &str, field: Option<&str>) {
        let body = self.expect(status);
        assert_eq!(body["error"], code, "{body}");
        assert_eq!(body.get("field").and_then(Value::as_str), field, "{body}");
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{body}"
        );
    }
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(settings()).await
    }

    pub async fn start_with(settings: Settings) -> Self {
        Self::start_on(
            TestDatabase::create().await,
            settings,
            Arc::new(SystemClock),
        )
        .await
    }

    pub async fn start_with_body_bytes_max(body_bytes_max: u64) -> Self {
        let mut settings = settings();
        settings.pushes.body_bytes_max = body_bytes_max;
        Self::start_with(settings).await
    }

    /// The service over a database that may hold rows already.
    pub async fn start_on(
        database: TestDatabase,
        settings: Settings,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self::start_in(database, settings, clock, |ports| ports).await
    }

    /// As [`Self::start_on`], with the actors' ports wrapped by `world`.
    pub async fn start_in(
        database: TestDatabase,
        settings: Settings,
        clock: Arc<dyn Clock>,
        world: impl FnOnce(TreePorts) -> TreePorts,
    ) -> Self {
        let opened = database.open().await.unwrap();
        Self::start_opened(database, opened, settings, clock, world).await
    }

    /// The service over a proxy that injects faults into its database connections.
    pub async fn start_over(proxy: &PostgresProxy, settings: Settings) -> Self {
        let database = TestDatabase::create().await;
        let opened = database.open_over(proxy).await.unwrap();
        let clock = Arc::new(SystemClock);
        Self::start_opened(database, opened, settings, clock, |ports| ports).await
    }

    /// As [`Self::start_over`], on a database that may hold rows already.
    pub async fn start_over_on(
        proxy: &PostgresProxy,
        database: TestDatabase,
        settings: Settings,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let opened = database.open_over(proxy).await.unwrap();
        Self::start_opened(database, opened, settings, clock, |ports| ports).await
    }

    async fn start_opened(
        database: TestDatabase,
        opened: Database,
        settings: Settings,
        clock: Arc<dyn Clock>,
        world: impl FnOnce(TreePorts) -> TreePorts,
    ) -> Self {
        let (pool, readers) = (opened.service().clone(), opened.readers().clone());
        let started = App::start_with(opened, settings, clock, world, pending()).await;
        let app = started.unwrap_or_else(|(error, _)| panic!("{error}"));
        Self {
            app,
            pool,
            readers,
            // A connection that is kept alive may be closed at the moment in which it is used again.
            client: crate::support::http::builder()
                .pool_max_idle_per_host(0)
                .build()
                .unwrap(),
            database,
        }
    }

    /// A tool service for an operator in another time zone, at another time.
    pub fn tool_service(&self, zone: Tz, now: DateTime<Utc>) -> ToolService {
        ToolService::new(ToolServiceParts {
            readers: self.readers.clone(),
            clients: Clients::agents(&self.readers, &Quotas::default()),
            homes: sextant::sync::LiveHomes::default(),
            connections: self.app.tree.connections.clone(),
            clock: Arc::new(FrozenClock::at(now)),
            zone,
        })
    }

    /// The address of the Console port.
    pub const fn address(&self) -> SocketAddr {
        self.app.console
    }

    /// Stops the service in order and starts it again over the same database.
    pub async fn restart(self) -> Self {
        self.restart_with(settings()).await
    }

    pub async fn restart_with(self, settings: Settings) -> Self {
        self.app.stop().await;
        drop((self.pool, self.readers));
        Self::start_on(self.database, settings, Arc::new(SystemClock)).await
    }

    /// Stops the service in order and returns its database.
    pub async fn stop_in_order(self) -> TestDatabase {
        self.app.stop().await;
        self.database
    }

    /// Returns the database while the service goes on running, without stopping it.
    pub fn abandon(self) -> TestDatabase {
        self.database
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("http://{}{path}", self.address()))
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        Answer::of(request.send().await.unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, path).json(&body))
            .await
    }

    /// Posts a body as it is, as `application/json`.
    pub async fn post_text(&self, path: &str, body: &str) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/json");
        self.send(request.body(body.to_owned())).await
    }

    /// Ends every connection to the database and refuses new ones.
    pub async fn lose_database(&self) {
        let config = self.database.service_config();
        let name = config.get_dbname().unwrap();
        administer(vec![
            format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ])
        .await;
    }

    pub async fn healthz(&self) -> Answer {
        self.get("/healthz").await
    }
}

/// Agents and their sessions.
impl TestApp {
    pub async fn agents(&self) -> Value {
        self.get("/api/agents").await.expect(200)["agents"].clone()
    }

    pub async fn agent(&self, name: &str) -> Answer {
        self.get(&format!("/api/agents/{name}")).await
    }

    pub async fn create_agent(&self, body: Value) -> Answer {
        self.post("/api/agents", body).await
    }

    pub async fn amend_agent(&self, name: &str, body: Value) -> Answer {
        let request = self.request(Method::PATCH, &format!("/api/agents/{name}"));
        self.send(request.json(&body)).await
    }

    pub async fn rotate_agent(&self, name: &str) -> Answer {
        self.send(self.request(Method::POST, &format!("/api/agents/{name}/rotate")))
            .await
    }

    pub async fn revoke_agent(&self, name: &str) -> Answer {
        self.send(self.request(Method::POST, &format!("/api/agents/{name}/revoke")))
            .await
    }

    pub async fn remove_agent(&self, name: &str) -> Answer {
        self.send(self.request(Method::DELETE, &format!("/api/agents/{name}")))
            .await
    }

    pub async fn sessions(&self, query: &str) -> Value {
        self.get(&format!("/api/sessions{query}")).await.expect(200)["sessions"].clone()
    }

    /// The key of a new agent.
    pub async fn key_of(&self, name: &str, sectors: &[&str]) -> String {
        let created = self
            .create_agent(json!({ "name": name, "sectors": sectors }))
            .await;
        created.expect(201)["key"].as_str().unwrap().to_owned()
    }

    /// A live session opened with this key.
    pub async fn open_session(&self, key: &str, client: &str) -> Lease {
        let ticket = self.tree.grants.resolve(&Digest::of(key)).unwrap();
        let client = ClientInfo {
            name: client.to_owned(),
            version: "1".to_owned(),
        };
        self.tree
            .sessions
            .open(ticket, client, Era::Legacy)
            .await
            .unwrap()
    }
}

/// Connections.
impl TestApp {
    pub async fn connections(&self) -> Value {
        self.get("/api/connections").await.expect(200)["connections"].clone()
    }

    pub async fn connection(&self, id: &str) -> Answer {
        self.get(&format!("/api/connections/{id}")).await
    }

    /// Pushes a body that must be stored, with the connection's secret.
    pub async fn push(&self, (id, secret): (&str, &str), body: &Value) -> Value {
        let request = self.request(Method::POST, &format!("/api/ingest/{id}"));
        let request = request.bearer_auth(secret).json(body);
        self.send(request).await.expect(200)
    }

    pub async fn create_connection(&self, body: Value) -> Answer {
        self.post("/api/connections", body).await
    }

    pub async fn pause(&self, id: &str) -> Answer {
        self.act_on(id, "pause").await
    }

    pub async fn resume(&self, id: &str) -> Answer {
        self.act_on(id, "resume").await
    }

    pub async fn rotate_secret(&self, id: &str) -> Answer {
        self.act_on(id, "rotate-secret").await
    }

    pub async fn disconnect(&self, id: &str, body: Value) -> Answer {
        self.post(&format!("/api/connections/{id}/disconnect"), body)
            .await
    }

    async fn act_on(&self, id: &str, verb: &str) -> Answer {
        self.send(self.request(Method::POST, &format!("/api/connections/{id}/{verb}")))
            .await
    }

    /// A new push connection for this table: its id and its secret.
    pub async fn push_connection(&self, target: &str) -> (String, String) {
        let (sector, _) = target.split_once('.').unwrap();
        let body =
            json!({ "provider": "push", "sector": sector, "table": target, "label": target });
        let created = self.create_connection(body).await.expect(201);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (
            text(&created["connections"][0]["id"]),
            text(&created["secret"]),
        )
    }

    /// Publishes the connections as a test has written them.
    pub async fn publish_connections(&self) {
        let published = self.tree.connections.reload(Uuid::nil()).await;
        published.unwrap();
    }

    /// The connection as ingest sees it in the published snapshot.
    pub fn published(&self, id: &str) -> Option<sextant_actors::domain::KnownConnection> {
        let id: Uuid = id.parse().unwrap();
        self.tree.connections.snapshot().get(&id).cloned()
    }
}

/// The audit log.
impl TestApp {
    pub async fn audit(&self, query: &str) -> Answer {
        self.get(&format!("/api/audit{query}")).await
    }

    pub async fn audit_row(&self, id: &str) -> Answer {
        self.get(&format!("/api/audit/{id}")).await
    }

    /// The newest audit rows, oldest first; waits until there are at least `count`.
    pub async fn audit_rows(&self, count: usize) -> Vec<Value> {
        let mut rows = Vec::new();
        eventually("the rows are written", async || {
            let page = self.audit("?limit=500").await.expect(200);
            rows = page["rows"].as_array().unwrap().clone();
            rows.len() >= count
        })
        .await;
        rows.reverse();
        rows
    }
}
