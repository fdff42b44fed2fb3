//! The service, its database and the browser of one test.

use std::path::Path;

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Browser, driver};
use crate::support::TestDatabase;
use crate::support::eventually::eventually;
use crate::support::service::{Service, Setup, is_running};
use crate::support::{skipped, users};

/// The real program on a database of its own, with a browser before it.
pub struct Console {
    pub service: Service,
    pub browser: Browser,
    pub database: TestDatabase,
}

/// Runs a test on a new service without data.
pub fn in_browser(test: &str, body: impl AsyncFnOnce(&mut Console)) {
    in_browser_with(test, |setup| setup, body);
}

/// Runs a test on a new service with settings of its own.
pub fn in_browser_with(
    test: &str,
    settings: impl FnOnce(Setup) -> Setup,
    body: impl AsyncFnOnce(&mut Console),
) {
    let begin = async |_: &Path, setup| Some((settings(setup), ()));
    in_browser_beside(test, begin, async |console, ()| body(console).await);
}

/// Runs a test on a new service beside others, which are begun before it and last until the test's end. `begin` is given the service's
/// home, and has `None` where one of them is not here, which it has said.
pub fn in_browser_beside<T>(
    test: &str,
    begin: impl AsyncFnOnce(&Path, Setup) -> Option<(Setup, T)>,
    body: impl AsyncFnOnce(&mut Console, &T),
) {
    let Some(driver) = driver::address() else {
        return skipped::for_want_of(test, "no chromium with chromedriver here");
    };
    users::in_scratch(async |home| {
        let database = TestDatabase::create().await;
        let Some((setup, others)) = begin(home, setup(home, &database)).await else {
            return;
        };
        let service = setup.start().await;
        let browser = Browser::start(driver, &service.console).await;
        let mut console = Console {
            service,
            browser,
            database,
        };
        body(&mut console, &others).await;
        let complaints = console.browser.complaints().await;
        assert!(complaints.is_empty(), "{complaints:#?}");
        console.browser.client.close().await.unwrap();
    });
}

fn setup(home: &Path, database: &TestDatabase) -> Setup {
    Setup::in_home(home)
        .env("DATABASE_URL", &database.url())
        .env("TZ", "UTC")
        .env("AUDIT_FLUSH_MS", "20")
}

impl Console {
    /// The sample household.
    pub async fn load_sample(&self) {
        self.service
            .call(Method::POST, "/api/sample", Some(json!({})), 201)
            .await;
    }

    /// Ends the service at once, and waits until it has; what starts it again, at another address.
    pub async fn kill(&self) -> Setup {
        let again = setup(self.service.home(), &self.database);
        self.service.signal(Signal::SIGKILL);
        let pid = self.service.pid();
        eventually("the service has ended", async || !is_running(pid)).await;
        again
    }

    /// What a GET route answers.
    pub async fn get(&self, path: &str) -> Value {
        self.service.call(Method::GET, path, None, 200).await
    }

    /// All connections.
    pub async fn connections(&self) -> Vec<Value> {
        let listed = self.get("/api/connections").await;
        listed["connections"].as_array().unwrap().clone()
    }

    /// The newest row of the audit log that a query string leaves, once there is one.
    pub async fn row(&self, query: &str) -> Value {
        let mut row = Value::Null;
        eventually(&format!("there is a row {query}"), async || {
            row = self.get(&format!("/api/audit?{query}")).await["rows"][0].clone();
            !row.is_null()
        })
        .await;
        row
    }

    /// A call of an agent over the read mirror; its answer whatever its status. An edit of its grant may have cut the connection that
    /// the client kept, so it tries once more.
    pub async fn ask(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let path = format!("/api/read/{tool}");
        let request = || {
            self.service
                .request(Method::POST, &path)
                .bearer_auth(key)
                .json(&arguments)
        };
        let answer = match request().send().await {
            Ok(answer) => answer,
            Err(_) => request().send().await.unwrap(),
        };
        answer.json().await.unwrap()
    }
}
