//! The running service with random rows in it, pushed as devices push; and tool services for operators in any zone at
//! any time.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::model::{Cell, Row, Table};
use super::tables;
use super::wall::Wall;
use crate::query::chance::Chance;
use crate::query::house::asked;
use crate::support::TestApp;

/// Rows of a table that stay, and others that are deleted again.
const ROWS: usize = 110;
const GONE: usize = 15;
/// Pages of one answer at the most.
const PAGES_MAX: usize = 60;

pub struct World {
    pub tables: Vec<Table>,
    app: TestApp,
}

/// An answer, from its first page to its last.
pub struct Answered {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    pub matched: Option<u64>,
}

impl World {
    pub async fn with_rows(chance: &mut Chance) -> Self {
        let app = TestApp::start().await;
        let mut world = Self {
            tables: tables::all(),
            app,
        };
        for place in 0..world.tables.len() {
            for label in ["One", "Zwei"] {
                world.fill(place, label, chance).await;
            }
        }
        world
    }

    /// Pushes rows over a connection of their own, and deletes some of them.
    async fn fill(&mut self, place: usize, label: &str, chance: &mut Chance) {
        let table = &self.tables[place];
        let rows: Vec<Row> = (0..ROWS / 2 + GONE)
            .map(|_| tables::row(table, chance))
            .collect();
        let records: Vec<Value> = rows.iter().enumerate().map(record).collect();
        let gone: Vec<String> = (0..GONE).map(key).collect();
        let (id, secret) = self.connect(table.target, label).await;
        for body in [json!({ "records": records }), json!({ "deleted": gone })] {
            let request = self
                .app
                .request(Method::POST, &format!("/api/ingest/{id}"))
                .bearer_auth(&secret);
            self.app.send(request.json(&body)).await.expect(200);
        }
        let ids = self.ids(table.target, &id).await;
        let kept = rows.into_iter().enumerate().skip(GONE);
        let kept = kept.map(|(number, mut row)| {
            let (_, id) = ids.iter().find(|(own, _)| *own == key(number)).unwrap();
            row.0.insert("id", Cell::Id(*id));
            row.0.insert("connection", Cell::Text(label.to_owned()));
            row
        });
        let kept: Vec<Row> = kept.collect();
        self.tables[place].rows.extend(kept);
    }

    async fn connect(&self, target: &str, label: &str) -> (String, String) {
        let (sector, table) = target.split_once('.').unwrap();
        let body = json!({"provider": "push", "sector": sector, "table": table, "label": label});
        let made = self.app.create_connection(body).await.expect(201);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&made["connections"][0]["id"]), text(&made["secret"]))
    }

    async fn ids(&self, target: &str, connection: &str) -> Vec<(String, Uuid)> {
        let client = self.app.database.connect().await;
        let sql = format!("SELECT source_id, id FROM {target} WHERE connection_id = $1");
        let connection: Uuid = connection.parse().unwrap();
        let rows = client.query(&sql, &[&connection]).await.unwrap();
        rows.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    /// Reads all pages, as an agent of an operator in this zone at this time.
    pub async fn ask(&self, arguments: &Value, wall: &Wall) -> Answered {
        let tool_service = self.app.tool_service(wall.zone, wall.now);
        let mut answered: Option<Answered> = None;
        let mut arguments = arguments.clone();
        for _ in 0..PAGES_MAX {
            let page = asked(&tool_service, &arguments).await;
            let rows = rows(&page);
            let so_far = answered.get_or_insert_with(|| Answered {
                columns: texts(&page["columns"]),
                rows: Vec::new(),
                matched: page["matched"].as_u64(),
            });
            so_far.rows.extend(rows);
            if page["next_cursor"].is_null() {
                return answered.unwrap();
            }
            arguments["cursor"] = page["next_cursor"].clone();
        }
        panic!("pages without end: {arguments}");
    }

    /// Runs many queries concurrently.
    pub async fn ask_all(&self, questions: &[(Value, Wall)]) -> Vec<Answered> {
        let answers = questions
            .iter()
            .map(|(arguments, wall)| self.ask(arguments, wall));
        join_all(answers).await
    }
}

/// The rows of a page in either form.
fn rows(page: &Value) -> Vec<Vec<Value>> {
    let columns = texts(&page["columns"]);
    let rows = page["rows"].as_array().unwrap().iter();
    rows.map(|row| match row {
        Value::Array(cells) => cells.clone(),
        record => columns.iter().map(|name| record[name].clone()).collect(),
    })
    .collect()
}

fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

fn key(number: usize) -> String {
    format!("row {number}")
}

fn record((number, row): (usize, &Row)) -> Value {
    let mut record = Map::new();
    record.insert("id".into(), json!(key(number)));
    for (name, cell) in &row.0 {
        if *cell != Cell::Null {
            record.insert((*name).to_owned(), cell.written());
        }
    }
    Value::Object(record)
}
