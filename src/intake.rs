//! Files on their way to the store: each record to the connection of its table, in batches.
//!
//! ```text
//! file_loader.rs     one file after another     routes.rs  which connection takes which table
//! sink.rs            where batches go           route.rs   a connection, and the form of its id
//! listener.rs        who is told                batch.rs   rows of one or several files to one gzipped body
//! told_files.rs      in which order             outcome.rs what became of a batch
//! stop.rs            that it should end         shares.rs  and of the part of each file in it
//! new_connection.rs  for which tables a connection is made, and its label
//! answers.rs         what the person says       unnamed.rs statements that name no account
//! ```
//!
//! A caller brings two things: a [`Sink`], which knows the connections and stores batches, and a [`Listener`], which is told of
//! each file and entry. The command line sends batches over HTTP with a secret, and prints (`crate::cli::push`).
//!
//! Knows the catalogue, `sextant_formats`, and the words for what becomes of a record; nothing of terminals, HTTP or the database.

mod answers;
mod batch;
mod file_loader;
mod listener;
mod new_connection;
mod outcome;
mod route;
mod routes;
mod shares;
mod sink;
mod stop;
mod told_files;
mod unnamed;

pub use batch::PushBatch;

pub(crate) use answers::{Answers, account_name, currency_code};
pub(crate) use file_loader::FileLoader;
pub(crate) use listener::{IntakeEvent, Listener, OnProgress};
pub(crate) use new_connection::{label, pushable};
pub(crate) use outcome::{BatchOutcome, FieldProblem, FileCounts, StoredBatch};
pub(crate) use route::{Route, connection_id};
pub(crate) use routes::{NoRoute, Routes};
pub(crate) use sink::{RecordRoute, Sink};
pub(crate) use stop::StopRequest;

pub(crate) use crate::ingest::RecordOutcome;
