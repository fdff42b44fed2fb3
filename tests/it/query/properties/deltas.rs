//! Devices push all the while; copies that are kept up to date by their changes equal the present rows in the end,
//! for every query and with pages however small.

use std::cell::Cell;
use std::collections::BTreeMap;

use futures_util::future::{join, join_all};
use reqwest::Method;
use serde_json::{Value, json};
use sextant::calls::ToolService;

use crate::query::chance::{Chance, seeds};
use crate::query::house::{self, now, rows};
use crate::support::TestApp;

const TARGET: &str = "finance.transactions";
const DEVICES: u64 = 3;
/// Pushes of each device.
const PUSHES: u64 = 40;
/// Records that a device has at the most.
const KEYS: u64 = 20;

/// The queries: a change can remove rows from each of them.
fn questions() -> Vec<Value> {
    vec![
        json!({}),
        json!({"where": {"amount": {"lt": 0}}}),
        json!({"where": {"or": [{"category": null}, {"not": {"amount": {"gt": 2}}}]}}),
        json!({"where": {"description": {"contains": "a"}, "connection": {"ne": "0"}}}),
        json!({"search": "tea -coffee"}),
    ]
}

/// An agent's copy of one query's rows.
struct Copy {
    question: Value,
    rows: BTreeMap<String, Vec<Value>>,
    change_cursor: Value,
}

impl Copy {
    fn of(question: Value) -> Self {
        Self {
            question,
            rows: BTreeMap::new(),
            change_cursor: Value::Null,
        }
    }

    /// Reads all rows, or the changes, to the last page.
    async fn read(&mut self, tool_service: &ToolService, limit: u64) {
        let mut asked = self.question.clone();
        asked["target"] = json!(TARGET);
        asked["select"] = json!(["id", "amount", "description", "category"]);
        asked["limit"] = json!(limit);
        asked["changed_since"] = self.change_cursor.clone();
        let mut begun = Value::Null;
        loop {
            let answer = house::asked(tool_service, &asked).await;
            for row in rows(&answer) {
                let id = row[0].as_str().unwrap().to_owned();
                self.rows.insert(id, row);
            }
            for gone in answer["deleted"].as_array().into_iter().flatten() {
                self.rows.remove(gone.as_str().unwrap());
            }
            if begun.is_null() {
                begun = answer["change_cursor"].clone();
            }
            assert_eq!(
                begun, answer["change_cursor"],
                "every page answers the first one's"
            );
            if answer["next_cursor"].is_null() {
                break;
            }
            asked["cursor"] = answer["next_cursor"].clone();
        }
        self.change_cursor = begun;
    }
}

/// A few records, new or changed, and a few deletions.
fn push(chance: &mut Chance) -> Value {
    let count = 1 + chance.below(4);
    let records: Vec<Value> = (0..count).map(|_| record(chance)).collect();
    let deleted: Vec<String> = (0..chance.below(3))
        .map(|_| chance.below(KEYS).to_string())
        .collect();
    json!({"records": records, "deleted": deleted})
}

fn record(chance: &mut Chance) -> Value {
    let words = ["tea", "coffee", "tea coffee", "bread"];
    let category = [json!("food"), Value::Null];
    json!({
        "id": chance.below(KEYS).to_string(),
        "amount": chance.within(-4, 4),
        "booked_on": "2026-03-01",
        "description": chance.one_of(&words),
        "category": chance.one_of(&category),
    })
}

#[actix_web::test]
async fn a_snapshot_and_what_changed_since_are_the_present_while_devices_push() {
    for seed in seeds() {
        let app = TestApp::start().await;
        let tool_service = app.tool_service(chrono_tz::Europe::Berlin, now());
        let at_work = Cell::new(DEVICES);
        let devices = (0..DEVICES).map(|number| {
            let (app, at_work) = (&app, &at_work);
            let mut chance = Chance::of(seed).part(number);
            async move {
                let body =
                    json!({"provider": "push", "sector": "finance", "label": number.to_string()});
                let made = app.create_connection(body).await.expect(201);
                let path = format!(
                    "/api/ingest/{}",
                    made["connections"][0]["id"].as_str().unwrap()
                );
                for _ in 0..PUSHES {
                    let request = app.request(Method::POST, &path);
                    let request = request.bearer_auth(made["secret"].as_str().unwrap());
                    app.send(request.json(&push(&mut chance))).await.expect(200);
                }
                at_work.set(at_work.get() - 1);
            }
        });
        let copies = questions()
            .into_iter()
            .zip(100..)
            .map(|(question, number)| {
                let (tool_service, at_work) = (&tool_service, &at_work);
                let mut chance = Chance::of(seed).part(number);
                async move {
                    let mut copy = Copy::of(question);
                    while at_work.get() > 0 {
                        copy.read(tool_service, 1 + chance.below(7)).await;
                    }
                    copy.read(tool_service, 5).await;
                    copy
                }
            });
        let (_, copies) = join(join_all(devices), join_all(copies)).await;
        for copy in copies {
            let mut present = Copy::of(copy.question.clone());
            present.read(&tool_service, 1000).await;
            assert_eq!(copy.rows, present.rows, "seed {seed}: {}", copy.question);
            assert!(
                !present.rows.is_empty(),
                "seed {seed} proves nothing of {}",
                copy.question
            );
        }
    }
}
