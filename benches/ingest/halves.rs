//! One push, the same in pushes of 1,000, and as one `INSERT … SELECT unnest` of the same columns into a copy of the table with
//! its indexes, in the same database.

use std::path::Path;
use std::time::Instant;

use sextant::catalog::Table;

use crate::home::home;
use crate::service::Service;
use crate::{body, connect, database};

/// Rounds after one that is not measured.
const ROUNDS: usize = 3;
/// Records of a small push.
const BATCH: u32 = 1_000;

pub const HEAD: &str = "\
records a second, median of the rounds; the ratios are medians of those of each round

| table | records | one push | in 1,000s | unnest | one/1,000s | one/unnest |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |";

pub async fn line(table: &Table, size: u32) -> String {
    let home = home();
    let service = Service::start(home.path()).await;
    let mut speeds: [Vec<f64>; 3] = Default::default();
    let mut ratios: [Vec<f64>; 2] = Default::default();
    let whole = [body(table, 0..size)];
    let batches: Vec<_> = (0..size.div_ceil(BATCH))
        .map(|batch| body(table, batch * BATCH..size.min((batch + 1) * BATCH)))
        .collect();
    for round in 0..=ROUNDS {
        let mut seconds = [0.0; 3];
        for (bodies, seconds) in [&whole[..], &batches].into_iter().zip(&mut seconds) {
            // A connection of its own, so that every record is new.
            let connection = connect(&service, table).await;
            let start = Instant::now();
            for body in bodies {
                service.post(&connection, body).await;
            }
            *seconds = start.elapsed().as_secs_f64();
        }
        seconds[2] = unnest(home.path(), table, size).await;
        if round > 0 {
            let [one, batched, unnest] = seconds;
            ratios[0].push(batched / one);
            ratios[1].push(unnest / one);
            for (speeds, seconds) in speeds.iter_mut().zip(seconds) {
                speeds.push(f64::from(size) / seconds);
            }
        }
    }
    let [one, batched, unnest] = speeds.map(median);
    let [to_batched, to_unnest] = ratios.map(median);
    let target = table.target();
    format!(
        "| {target} | {size} | {one:.0} | {batched:.0} | {unnest:.0} | {to_batched:.2} | {to_unnest:.2} |"
    )
}

/// The seconds of the statement and its commit. The values are gathered into arrays before the clock starts; a list of texts
/// is an array's element as its text.
async fn unnest(home: &Path, table: &Table, size: u32) -> f64 {
    let client = database::connect(home, "sextant").await;
    let schema = if table.is_merged {
        "evidence"
    } else {
        table.sector.name()
    };
    let stored = format!("\"{schema}\".\"{}\"", table.name);
    let columns = client
        .query(include_str!("columns.sql"), &[&stored])
        .await
        .unwrap();
    let (mut names, mut variables, mut gathered, mut read, mut arrays) =
        (vec![], vec![], vec![], vec![], vec![]);
    for (number, column) in columns.iter().enumerate() {
        let (name, kind): (String, String) = (column.get(0), column.get(1));
        let element = if kind.ends_with("[]") {
            "text"
        } else {
            kind.as_str()
        };
        variables.push(format!("a{number} {element}[];"));
        gathered.push(format!("array_agg({name}::{element})"));
        read.push(format!("c{number}::{kind}"));
        arrays.push(format!("a{number}"));
        names.push(name);
    }
    let aliases: Vec<String> = (0..names.len())
        .map(|number| format!("c{number}"))
        .collect();
    let statement = include_str!("unnest.sql")
        .replace("{stored}", &stored)
        .replace("{size}", &size.to_string())
        .replace("{names}", &names.join(", "))
        .replace("{variables}", &variables.join(" "))
        .replace("{gathered}", &gathered.join(", "))
        .replace("{read}", &read.join(", "))
        .replace("{arrays}", &arrays.join(", "))
        .replace("{aliases}", &aliases.join(", "));
    client.batch_execute(&statement).await.unwrap();
    let taken = "SELECT current_setting('bench.seconds')::double precision";
    client.query_one(taken, &[]).await.unwrap().get(0)
}

/// The middle value; their number is odd.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap()
}
