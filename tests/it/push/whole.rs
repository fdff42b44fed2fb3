//! Real files through the whole of it: importers, push, the ingest route and the database behind it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sextant::cli::push::{Arguments, EnvironmentSecret, Report, push};

use crate::support::TestApp;

/// The tables that the fixtures fill.
const TABLES: [&str; 4] = [
    "calendar.series",
    "finance.transactions",
    "finance.holdings",
    "finance.accounts",
];

/// A service with a push connection for each table, and the file of their secrets.
struct Household {
    app: TestApp,
    connections: Vec<String>,
    folder: tempfile::TempDir,
}

impl Household {
    async fn start() -> Self {
        let app = TestApp::start().await;
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

    /// Pushes files: whether all was stored, and what was told.
    async fn push(&self, files: Vec<PathBuf>) -> (bool, String) {
        let arguments = Arguments {
            files,
            connections: self.connections.clone(),
            url: format!("http://{}", self.app.address()),
            secret_file: Some(self.folder.path().join("secrets")),
        };
        let mut output = Vec::new();
        let mut report = Report::new(&mut output, None);
        let is_all_stored = push(&arguments, EnvironmentSecret(None), &mut report)
            .await
            .unwrap();
        (is_all_stored, String::from_utf8(output).unwrap())
    }

    /// The rows of a query, each as an object.
    async fn rows(&self, statement: &str) -> Vec<Value> {
        let client = self.app.database.connect().await;
        let statement = format!("SELECT to_jsonb(found) FROM ({statement}) AS found");
        client
            .query(&statement, &[])
            .await
            .unwrap()
            .iter()
            .map(|row| row.get(0))
            .collect()
    }

    async fn count(&self, table: &str) -> u64 {
        self.rows(&format!("SELECT count(*) AS n FROM {table}"))
            .await[0]["n"]
            .as_u64()
            .unwrap()
    }
}

fn fixtures(folder: &str, extension: &str) -> Vec<PathBuf> {
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

/// Entries, stored and refused, of the report's last line of the table.
fn totals(told: &str) -> [u64; 3] {
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

#[actix_web::test]
async fn every_bank_fixture_is_stored_or_refused_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let (is_all_stored, told) = household.push(fixtures("bank", "ofx")).await;
    assert!(!is_all_stored);
    let [entries, stored, refused] = totals(&told);
    assert_eq!((entries, refused), (stored + refused, 2), "{told}");
    let transactions = household.count("finance.transactions").await;
    let holdings = household.count("finance.holdings").await;
    assert_eq!(
        stored,
        transactions + holdings + 2,
        "the two are accounts without transactions\n{told}"
    );
    let (_, again) = household.push(fixtures("bank", "ofx")).await;
    assert_eq!(totals(&again), [entries, stored, refused], "{again}");
    assert!(
        !again.contains(" (1 new") && again.contains("(0 new, 0 changed"),
        "{again}"
    );
    assert_eq!(household.count("finance.transactions").await, transactions);
}

#[actix_web::test]
async fn every_calendar_fixture_is_stored_or_refused_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let (is_all_stored, told) = household.push(fixtures("calendar", "ics")).await;
    assert!(!is_all_stored);
    let [entries, stored, refused] = totals(&told);
    assert_eq!(entries, stored + refused, "{told}");
    assert!(stored > 200, "{told}");
    let series = household.count("calendar.series").await;
    assert!(household.count("calendar.events").await >= series);
    let (_, again) = household.push(fixtures("calendar", "ics")).await;
    assert_eq!(totals(&again), [entries, stored, refused], "{again}");
    assert_eq!(household.count("calendar.series").await, series);
}

#[actix_web::test]
async fn a_statement_keeps_its_money_and_its_account() {
    let household = Household::start().await;
    let file = fixtures("bank", "ofx")
        .into_iter()
        .find(|path| path.ends_with("bank_medium.ofx"));
    let (is_all_stored, told) = household.push(file.into_iter().collect()).await;
    assert!(is_all_stored, "{told}");
    let found = household
        .rows(
            "SELECT t.amount::text, t.currency, t.booked_on, a.mask, a.balance_current::text AS balance
            FROM finance.transactions t JOIN finance.accounts a ON a.id = t.account_id ORDER BY t.booked_on LIMIT 1",
        )
        .await;
    let expected = json!({"amount": "-6.6000", "currency": "CAD", "booked_on": "2009-04-01", "mask": "5678", "balance": "382.3400"});
    assert_eq!(found, [expected]);
}
