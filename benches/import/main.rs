//! How fast files become rows: all of it, and each of its two halves alone (`cargo bench --profile dist --bench
//! import`).
//!
//! ```text
//! files.rs    the four files, the same in each run    batches.rs  their records as a push would send them
//! service.rs  the program itself, on its own database  figures.rs  rounds to the table
//! ```
//!
//! Three times are taken for each file in each round, one after another:
//! - *parse*: the reader's entries, iterated and dropped, in this process;
//! - *insert*: the same records, made into gzipped batches before the clock starts, posted one after another to the
//!   ingest route of a running service, until the last is answered, and so stored;
//! - *push*: `sextant push FILE`, from the start of its process to its end.
//!
//! The service is the binary with a private database of the default durability. Each insert and each push goes to
//! connections of its own, so that every row is new. That every row is stored is asserted, no time is.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that cannot be taken ends the program, and the table is what it is for"
)]

#[path = "../shared/home.rs"]
mod home;
#[path = "../../tests/it/support/http.rs"]
mod http;
#[path = "../shared/program.rs"]
mod program;

mod batches;
mod figures;
mod files;
mod service;

use std::path::Path;
use std::time::{Duration, Instant};

use sextant_formats::{FileEntry, FileReader, FileSource};

use batches::Batches;
use figures::Figures;
use files::File;
use home::home;
use service::Service;

/// Rounds that are measured; one before them is not.
const ROUNDS: usize = 5;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(measure());
}

async fn measure() {
    let home = home();
    let service = Service::start(home.path()).await;
    println!("{}", figures::HEAD);
    for file in files::write_all(home.path()) {
        println!("{}", figures_of(&service, &file).await);
    }
}

async fn figures_of(service: &Service, file: &File) -> String {
    let batches = Batches::of(&file.path);
    let mut figures = Figures::default();
    for round in 0..=ROUNDS {
        let parse = parse(&file.path, batches.rows);
        let insert = insert(service, &batches).await;
        let push = push(service, &file.path, &batches).await;
        if round > 0 {
            figures.add(batches.rows, [parse, insert, push]);
        }
    }
    figures.line(file, batches.rows)
}

fn parse(path: &Path, rows: usize) -> Duration {
    let source = FileSource::File(path.to_owned());
    let start = Instant::now();
    let records = FileReader::new(files::options())
        .entries(&source)
        .unwrap()
        .filter(|entry| matches!(entry, Ok(FileEntry::Record { .. })))
        .count();
    let time = start.elapsed();
    assert_eq!(records, rows);
    time
}

async fn insert(service: &Service, batches: &Batches) -> Duration {
    let connections = service.connections(&batches.targets()).await;
    let start = Instant::now();
    let mut inserted = 0;
    for batch in &batches.bodies {
        let connection = connections.iter().find(|each| each.target == batch.target);
        inserted += service.post(connection.unwrap(), &batch.gzipped).await;
    }
    let time = start.elapsed();
    assert_eq!(inserted, batches.rows);
    time
}

async fn push(service: &Service, path: &Path, batches: &Batches) -> Duration {
    let connections = service.connections(&batches.targets()).await;
    let secrets = service.secret_file(&connections);
    let start = Instant::now();
    let told = service.push(path, &secrets).await;
    let time = start.elapsed();
    assert!(told.contains(&format!("({} new, ", batches.rows)), "{told}");
    time
}
