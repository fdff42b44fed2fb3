//! What a push runs on a fresh store is planned as on an analysed one, for each table that takes pushes.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use chrono::DateTime;
use deadpool_postgres::{Connect, Manager, ManagerConfig, Pool};
use serde_json::{Value, json};
use sextant::catalog::Table;
use sextant::ingest::decode::{BodyFormat, Encoding};
use sextant::ingest::{PushDestination, Rejects, SpoolFolder, prepare, store_within};
use sextant_actors::domain::OPERATOR;
use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client, Config, Error, NoTls};

use super::Device;
use crate::support::TestApp;
use crate::support::generated::{pushable, record};

/// Records that are stored first: more than a statement should read whole for each of its rows.
const FIRST: u32 = 2_000;
/// Records of one of their requests.
const REQUEST: usize = 500;
/// Records of the push whose plans are compared.
const NEXT: u32 = 200;
/// A table of fewer pages is read whole or by index, at the same cost.
const PAGES_COMPARED_MIN: i64 = 32;
/// Each statement tells its plan to its own client, and to nobody else.
const EXPLAIN: &str = "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_format = json; \
     SET auto_explain.log_level = notice; SET client_min_messages = notice";

type Plans = Arc<Mutex<Vec<Value>>>;

/// Makes connections that collect the plans of their statements.
struct Explaining(Plans);

impl Connect for Explaining {
    fn connect(
        &self,
        config: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + '_>> {
        let (config, plans) = (config.clone(), Arc::clone(&self.0));
        Box::pin(async move {
            let (client, mut connection) = config.connect(NoTls).await?;
            let driver = tokio::spawn(async move {
                while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                    if let AsyncMessage::Notice(notice) = message
                        && let Some((_, plan)) = notice.message().split_once("plan:\n")
                    {
                        plans.lock().unwrap().push(plan.parse().unwrap());
                    }
                }
            });
            client.batch_execute(EXPLAIN).await?;
            Ok((client, driver))
        })
    }
}

/// A statement, and the indexes by which it finds rows of large tables. A bitmap of an index counts as the index.
type Shape = (String, Vec<String>);

fn shape(explained: &Value, large: &BTreeSet<String>) -> Shape {
    let mut waiting = vec![&explained["Plan"]];
    let mut scans = Vec::new();
    while let Some(node) = waiting.pop() {
        let text = |name: &str| node[name].as_str().unwrap_or_default();
        let (relation, index) = (text("Relation Name"), text("Index Name"));
        if text("Node Type") == "Seq Scan" && large.contains(relation) {
            scans.push(format!("all of {relation}"));
        }
        if large.iter().any(|name| index.starts_with(name)) {
            scans.push(index.to_owned());
        }
        waiting.extend(node["Plans"].as_array().into_iter().flatten());
    }
    (explained["Query Text"].as_str().unwrap().to_owned(), scans)
}

/// The tables that are large enough for the way to their rows to matter.
async fn large_tables(client: &Client) -> BTreeSet<String> {
    let large = "SELECT relname::text FROM pg_class WHERE relkind = 'r' \
         AND pg_relation_size(oid) >= $1::bigint * current_setting('block_size')::bigint";
    let rows = client.query(large, &[&PAGES_COMPARED_MIN]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Runs a push of the records after the first ones and rolls it back; the shapes of its plans.
async fn planned(
    pool: &Pool,
    plans: &Plans,
    to: &PushDestination,
    large: &BTreeSet<String>,
) -> Vec<Shape> {
    let records: Vec<Value> = (FIRST..FIRST + NEXT).map(|n| record(to.table, n)).collect();
    let body = json!({ "records": records }).to_string();
    let shape_of_body = (Encoding::Identity, BodyFormat::Json);
    let prepared = prepare(
        body.as_bytes(),
        shape_of_body,
        (u64::MAX, &SpoolFolder::default()),
        to,
        Rejects::All,
    )
    .unwrap();
    assert_eq!(prepared.problems, []);
    let mut client = pool.get().await.unwrap();
    plans.lock().unwrap().clear();
    let transaction = client.transaction().await.unwrap();
    let stored = store_within(&transaction, to, &[], Arc::new(prepared)).await;
    assert_eq!(stored.unwrap().inserted, u64::from(NEXT));
    transaction.rollback().await.unwrap();
    let plans = std::mem::take(&mut *plans.lock().unwrap());
    plans.iter().map(|plan| shape(plan, large)).collect()
}

/// The statements of the next push that are planned otherwise once everything is analysed.
async fn planned_otherwise(app: &TestApp, table: &'static Table) -> Vec<(Shape, Shape)> {
    let device = Device::of(app, &table.target()).await;
    for numbers in (0..FIRST).collect::<Vec<u32>>().chunks(REQUEST) {
        let records: Vec<Value> = numbers.iter().map(|n| record(table, *n)).collect();
        device.store(records.into()).await;
    }
    let to = PushDestination {
        user: OPERATOR,
        connection: device.id.parse().unwrap(),
        table,
        zone: chrono_tz::UTC,
        now: DateTime::UNIX_EPOCH,
    };
    let plans = Plans::default();
    let manager = Manager::from_connect(
        app.database.config_of("postgres"),
        Explaining(Arc::clone(&plans)),
        ManagerConfig::default(),
    );
    let pool = Pool::builder(manager).max_size(1).build().unwrap();
    let client = app.database.connect_as_superuser().await;
    let large = large_tables(&client).await;
    let fresh = planned(&pool, &plans, &to, &large).await;
    client.batch_execute("ANALYZE").await.unwrap();
    let analysed = planned(&pool, &plans, &to, &large).await;
    assert_eq!(fresh.len(), analysed.len());
    assert!(
        fresh
            .iter()
            .any(|(statement, _)| statement.starts_with("INSERT"))
    );
    let pairs = fresh.into_iter().zip(analysed);
    pairs
        .filter(|(fresh, analysed)| fresh != analysed)
        .collect()
}

#[actix_web::test]
async fn a_push_after_the_first_is_planned_as_on_an_analysed_store() {
    let mut otherwise = Vec::new();
    for table in pushable() {
        let app = TestApp::start().await;
        otherwise.extend(planned_otherwise(&app, table).await);
    }
    assert!(otherwise.is_empty(), "{otherwise:#?}");
}
