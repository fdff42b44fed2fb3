//! The real program against a service: its exit code, and its standard output and error.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use crate::support::TestApp;

/// A service without any connection, and a working folder.
pub struct Newcomer {
    pub app: TestApp,
    folder: tempfile::TempDir,
}

/// The result of a run of the program.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Newcomer {
    pub async fn arrive() -> Self {
        Self {
            app: TestApp::start().await,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.app.address())
    }

    /// `sextant push` with these arguments, followed by the address.
    pub fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sextant"));
        program
            .env_clear()
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .arg("push")
            .args(arguments)
            .args(["--url", &self.url()]);
        program
    }

    pub async fn push(&self, arguments: &[impl AsRef<OsStr>]) -> Ran {
        Ran::of(self.command(arguments)).await
    }

    /// The connections, as the Console lists them.
    pub async fn connections(&self) -> Vec<Value> {
        let url = format!("{}/api/connections", self.url());
        let listed = crate::support::http::builder().build().unwrap().get(url);
        let listed: Value = listed.send().await.unwrap().json().await.unwrap();
        listed["connections"].as_array().unwrap().clone()
    }

    pub async fn count(&self, table: &str) -> i64 {
        let client = self.app.database.connect().await;
        let statement = format!("SELECT count(*) FROM {table}");
        client.query_one(&statement, &[]).await.unwrap().get(0)
    }
}

impl Ran {
    pub async fn of(mut command: Command) -> Self {
        let output = command.output().await.unwrap();
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        Self {
            code: output.status.code(),
            out,
            err,
        }
    }
}
