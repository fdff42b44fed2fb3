//! Between the pages of one answer, random rows are added, deleted and moved. A row that stays where it is comes
//! exactly once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sextant::catalog::{self, Table};
use sextant::query::column;
use uuid::Uuid;

use crate::query::chance::{Chance, seeds};
use crate::query::house::{House, rows};

const ROWS: i32 = 70;
/// Answers that are read for each seed.
const ANSWERS: u64 = 25;
const TARGETS: [&str; 4] = [
    "finance.transactions",
    "home.entities",
    "health.workouts",
    "mail.messages",
];

struct Reading<'a> {
    house: &'a House,
    table: &'static Table,
    connection: Uuid,
    /// The number of the next row to be added.
    next: i32,
    /// Rows that were moved or deleted.
    touched: BTreeSet<String>,
}

impl Reading<'_> {
    async fn fill(&mut self, count: i32) {
        let (first, last) = (self.next, self.next + count - 1);
        self.house
            .fill(self.connection, self.table, first, last)
            .await;
        self.next += count;
    }

    async fn ids(&self) -> BTreeSet<String> {
        let asked = json!({"target": self.table.target(), "select": ["id"], "limit": 1000, "budget": 25_000});
        let answer = self.house.query(asked).await;
        assert_eq!(answer["matched"], answer["returned"]);
        rows(&answer).iter().map(|row| text(&row[0])).collect()
    }

    /// One random change.
    async fn change(&mut self, chance: &mut Chance, order: &[String]) {
        if chance.is(30) {
            return self.fill(1 + i32::try_from(chance.below(3)).unwrap()).await;
        }
        let target = self.table.target();
        let ids: Vec<String> = self.ids().await.into_iter().collect();
        let (id, other) = (chance.one_of(&ids).clone(), chance.one_of(&ids).clone());
        let key = chance.one_of(order).trim_start_matches('-').to_owned();
        let own = self.table.field(&key);
        let key = own.map_or(key.as_str(), |field| field.told_column());
        let sql = match chance.below(3) {
            0 => format!("DELETE FROM {target} WHERE id = '{id}'"),
            1 if own.is_some() => format!(
                "UPDATE {target} SET \"{key}\" = (SELECT \"{key}\" FROM {target} WHERE id = '{other}'),
                    changed_xid = pg_current_xact_id() WHERE id = '{id}'"
            ),
            _ => format!(
                "UPDATE {target} SET {} = now(), changed_xid = pg_current_xact_id() WHERE id = '{id}'",
                self.table.removed_column()
            ),
        };
        self.touched.insert(id);
        self.house.owner.batch_execute(&sql).await.unwrap();
    }
}

#[actix_rt::test]
async fn what_stays_comes_exactly_once_while_random_rows_come_go_and_move() {
    for seed in seeds() {
        let house = House::build().await;
        for number in 0..ANSWERS {
            let mut chance = Chance::of(seed).part(number);
            let table = catalog::by_target(TARGETS[chance.index(TARGETS.len())]).unwrap();
            let connection = house
                .connect(&table.target(), &format!("{number} connection"))
                .await;
            let clear = format!("DELETE FROM {}", table.target());
            house.owner.batch_execute(&clear).await.unwrap();
            let mut reading = Reading {
                house: &house,
                table,
                connection,
                next: 1,
                touched: BTreeSet::new(),
            };
            reading.fill(ROWS).await;
            let asked = arguments(table, &mut chance);
            read(&mut reading, asked, &mut chance)
                .await
                .unwrap_or_else(|what| panic!("seed {seed}, answer {number}: {what}"));
        }
    }
}

fn arguments(table: &Table, chance: &mut Chance) -> Value {
    let orderable = column::all(table).filter(|column| column.is_orderable());
    let names: Vec<&str> = orderable.map(|column| column.name).collect();
    let mut order = chance.some_of(&names, 3);
    order.push(*chance.one_of(&names));
    let signed = order.iter().map(|name| {
        let sign = if chance.is(50) { "-" } else { "" };
        format!("{sign}{name}")
    });
    let order: Vec<String> = signed.collect();
    json!({"target": table.target(), "select": ["id"], "order_by": order, "limit": chance.within(3, 15)})
}

async fn read(
    reading: &mut Reading<'_>,
    mut asked: Value,
    chance: &mut Chance,
) -> Result<(), String> {
    let order: Vec<String> = serde_json::from_value(asked["order_by"].clone()).unwrap();
    let before = reading.ids().await;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    loop {
        let answer = reading.house.query(asked.clone()).await;
        for row in rows(&answer) {
            *seen.entry(text(&row[0])).or_default() += 1;
        }
        if answer["next_cursor"].is_null() {
            break;
        }
        asked["cursor"] = answer["next_cursor"].clone();
        for _ in 0..chance.below(4) {
            reading.change(chance, &order).await;
        }
    }
    let present = reading.ids().await;
    for id in before.iter().filter(|id| !reading.touched.contains(*id)) {
        let times = seen.get(id).copied().unwrap_or(0);
        if times != 1 || !present.contains(id) {
            return Err(format!("{id} came {times} times in {asked}"));
        }
    }
    let twice = seen
        .iter()
        .find(|(id, times)| **times > 1 && !reading.touched.contains(*id));
    twice.map_or(Ok(()), |(id, times)| {
        Err(format!("{id} came {times} times in {asked}"))
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
