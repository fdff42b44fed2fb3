//! Random queries on random rows, against a naive evaluation in memory that was written from the interface and shares
//! nothing with the engine: equal rows in equal order, equal groups.
//!
//! | file | what it holds |
//! |---|---|
//! | `world` | the running service, filled by pushes; queries, all pages of them |
//! | `model`, `tables`, `values` | the same rows in memory |
//! | `questions`, `conditions` | random queries |
//! | `ranking` | the same for the best hits of a search |
//! | `expected`, `filter`, `groups`, `wall` | the naive evaluation |

mod conditions;
mod expected;
mod filter;
mod groups;
mod model;
mod questions;
mod ranking;
mod tables;
mod values;
mod wall;
mod world;

use serde_json::Value;

use self::expected::{Expected, expected};
use self::model::Table;
use self::questions::question;
use self::values::ZONES;
use self::wall::Wall;
use self::world::{Answered, World};
use super::chance::{Chance, seeds};

/// Queries for each seed.
const QUESTIONS: u64 = 1500;
/// Wrong answers that a failure shows.
const SHOWN: usize = 8;
/// Queries that run concurrently.
const AT_ONCE: usize = 8;

#[actix_rt::test]
async fn random_questions_are_answered_as_a_naive_evaluation_answers_them() {
    for seed in seeds() {
        let chance = Chance::of(seed);
        let world = World::with_rows(&mut chance.part(0)).await;
        let asked: Vec<(usize, Value, Wall)> = (1..=QUESTIONS)
            .map(|number| ask(&world, &mut chance.part(number)))
            .collect();
        let (mut filled, mut wrong) = (0, Vec::new());
        for chunk in asked.chunks(AT_ONCE) {
            let questions: Vec<(Value, Wall)> = chunk
                .iter()
                .map(|(_, arguments, wall)| (arguments.clone(), *wall))
                .collect();
            let answers = world.ask_all(&questions).await;
            for ((place, arguments, wall), answered) in chunk.iter().zip(answers) {
                let expected = expected(&world.tables[*place], arguments, wall);
                filled += usize::from(expected.rows.len() > 1);
                if let Err(what) = compare(&answered, &expected, arguments) {
                    wrong.push(format!(
                        "{} at {}: {what}\n{arguments}",
                        wall.zone, wall.now
                    ));
                }
            }
        }
        let few = wrong.iter().take(SHOWN).cloned().collect::<Vec<_>>();
        assert!(
            wrong.is_empty(),
            "seed {seed}: {} are wrong\n{}",
            wrong.len(),
            few.join("\n")
        );
        println!("{filled} of {QUESTIONS} answers had several rows");
        assert!(filled > 400, "too few answers prove anything");
    }
}

fn ask(world: &World, chance: &mut Chance) -> (usize, Value, Wall) {
    let place = chance.index(world.tables.len());
    let wall = Wall {
        zone: *chance.one_of(&ZONES),
        now: values::instant(chance),
    };
    let table: &Table = &world.tables[place];
    (place, question(table, chance), wall)
}

fn compare(answered: &Answered, expected: &Expected, arguments: &Value) -> Result<(), String> {
    let places = expected.columns.iter().map(|name| {
        let mut columns = answered.columns.iter();
        let place = columns.position(|column| column == name);
        place.ok_or_else(|| format!("no column {name} in {:?}", answered.columns))
    });
    let places = places.collect::<Result<Vec<usize>, String>>()?;
    if answered.rows.len() != expected.rows.len() {
        let (got, want) = (answered.rows.len(), expected.rows.len());
        return Err(format!("{got} rows instead of {want}"));
    }
    for (number, (row, cells)) in answered.rows.iter().zip(&expected.rows).enumerate() {
        let shown = places.iter().map(|place| &row[*place]);
        if !shown
            .zip(cells)
            .all(|(shown, cell)| cell.is_shown_as(shown))
        {
            return Err(format!("row {number} is {row:?} instead of {cells:?}"));
        }
    }
    let is_counted = arguments["count"] == Value::Bool(true);
    match answered.matched {
        Some(matched) if matched != expected.matched as u64 => {
            Err(format!("{matched} matched instead of {}", expected.matched))
        }
        None if is_counted => Err("not counted".to_owned()),
        _ => Ok(()),
    }
}
