//! A service that accepts the files of the fixtures: a push connection for each table that they fill.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sextant::cli::push::{EnvironmentSecret, PushArguments, Report, push};

use super::TestApp;

/// The tables that the fixtures fill.
const TABLES: [&str; 11] = [
    "calendar.series",
    "contacts.people",
    "contacts.groups",
    "finance.transactions",
    "finance.holdings",
    "finance.accounts",
    "mail.messages",
    "health.samples",
    "health.sleeps",
    "health.workouts",
    "health.days",
];

/// The program's own default.
const BODY_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A service with a push connection for each table, and the file with their secrets.
pub struct Household {
    pub app: TestApp,
    connections: Vec<String>,
    folder: tempfile::TempDir,
}

impl Household {
    pub async fn start() -> Self {
        let app = TestApp::start_with_body_bytes_max(BODY_BYTES_MAX).await;
        let (mut connections, mut secrets) = (Vec::new(), String::new());
        for table in TABLES {
            let (id, secret) = app.push_connection(table).await;
            secrets += &format!("{id} {secret}\n");
            connections.push(id);
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secrets"), secrets).unwrap();
        Self {
            app,
            connections,
            folder,
        }
    }

    /// Pushes files; returns whether all was stored, and the report.
    pub async fn push(&self, files: Vec<PathBuf>) -> (bool, String) {
        let arguments = PushArguments {
            files,
            connections: self.connections.clone(),
            secret_file: Some(self.folder.path().join("secrets")),
            ..PushArguments::default()
        };
        let mut output = Vec::new();
        let mut report = Report::new(&mut output, None);
        let url = format!("http://{}", self.app.address());
        let is_all_stored = push(&arguments, &url, EnvironmentSecret(None), &mut report)
            .await
            .unwrap();
        (is_all_stored, String::from_utf8(output).unwrap())
    }

    /// Pushes files with the real program; returns its exit code and output.
    pub async fn run(&self, files: &[PathBuf]) -> (i32, String) {
        let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"));
        program.arg("push").args(files);
        for id in &self.connections {
            program.args(["--connection", id]);
        }
        program.args(["--url", &format!("http://{}", self.app.address())]);
        program
            .arg("--secret-file")
            .arg(self.folder.path().join("secrets"));
        let output = program.output().await.unwrap();
        let told = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code().unwrap(), told.concat())
    }

    /// The rows of a query, each as an object.
    pub async fn rows(&self, statement: &str) -> Vec<Value> {
        self.app.database.rows(statement).await
    }

    pub async fn count(&self, table: &str) -> u64 {
        self.rows(&format!("SELECT count(*) AS n FROM {table}"))
            .await[0]["n"]
            .as_u64()
            .unwrap()
    }
}

/// The fixtures in a folder whose file names end in this extension.
pub fn fixtures(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/fixtures")
        .join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|known| known == extension));
    files.sort();
    files
}

/// The entries, stored and refused records in the last line of the report's table.
pub fn totals(told: &str) -> [u64; 3] {
    let total = told
        .lines()
        .find(|line| line.starts_with("total "))
        .unwrap();
    let mut numbers = total
        .split_whitespace()
        .skip(1)
        .map(|number| number.parse().unwrap());
    [(); 3].map(|()| numbers.next().unwrap())
}
