//! Requests of one size, one after another on a fresh store: the speed of each, and the greatest ratio of two neighbours.

use std::time::Instant;

use sextant::catalog::Table;

use crate::home::home;
use crate::service::Service;
use crate::{body, connect};

/// Requests to one store.
const REQUESTS: u32 = 4;

pub const HEAD: &str = "\
records a second of each request; slower: the greatest factor by which a request was slower than the one before

| table | records | requests | slower |
| --- | ---: | --- | ---: |";

pub async fn line(table: &Table, size: u32) -> String {
    let home = home();
    let service = Service::start(home.path()).await;
    let connection = connect(&service, table).await;
    let mut speeds = Vec::new();
    for request in 0..REQUESTS {
        let records = body(table, request * size..(request + 1) * size);
        let start = Instant::now();
        let inserted = service.post(&connection, &records).await;
        speeds.push(f64::from(size) / start.elapsed().as_secs_f64());
        assert_eq!(
            inserted,
            usize::try_from(size).unwrap(),
            "{}",
            table.target()
        );
    }
    let neighbours = speeds.iter().zip(speeds.iter().skip(1));
    let slower = neighbours.map(|(one, next)| one / next).fold(0.0, f64::max);
    let speeds: Vec<String> = speeds.iter().map(|speed| format!("{speed:.0}")).collect();
    format!(
        "| {} | {size} | {} | {slower:.2} |",
        table.target(),
        speeds.join(", ")
    )
}
