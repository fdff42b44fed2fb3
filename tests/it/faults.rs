//! The service over a database that fails: through its real ports, a real PostgreSQL, and a proxy between them.

mod audit;
mod edits;
mod outage;
mod pushes;

use crate::mcp::support::Client;
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::postgres_proxy::PostgresProxy;

/// A service, and the proxy before its database.
pub struct Faulty {
    // Dropped first: it must disconnect before the proxy is gone.
    pub app: TestApp,
    pub way: PostgresProxy,
}

impl Faulty {
    pub async fn start() -> Self {
        Self::start_with(settings()).await
    }

    async fn start_with(settings: sextant::app::Settings) -> Self {
        let way = PostgresProxy::before(&shared().socket_dir).await;
        let app = TestApp::start_over(&way, settings).await;
        Self { app, way }
    }

    /// A client of the agent port, with the key of a new agent.
    async fn agent(&self, name: &str, sectors: &[&str]) -> Client {
        let url = format!("http://{}/mcp", self.app.agents);
        Client::new(&url, Some(self.app.key_of(name, sectors).await))
    }
}
