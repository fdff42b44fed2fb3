//! Sextant: one person's data in six sectors, served to AI agents through grants, every call witnessed.
//!
//! # The rooms
//!
//! Arrows only go down: a room may use those below it, never those above.
//!
//! | room | what lives there |
//! |---|---|
//! | [`cli`] | the command line: `serve`, `demo`, `push`, `export`, `import`; the log |
//! | [`app`] | the composition root: everything is made there, in order, and stopped there, in order |
//! | [`http`] | the surfaces (Console, ingest, read mirror, agents' MCP) and what they share of HTTP; none imports another |
//! | [`calls`] | the desk: the seven tools, the one path by which an agent's call reaches data, and what it may have under way |
//! | [`query`] | from what an agent asked to what it reads: request, check, compile, run, answer |
//! | [`ingest`] | from the bytes a device pushed to rows: decode, validate, store in one transaction |
//! | [`derived`] | rows made of other rows: `health.days` and `finance.balances`, settled in the transaction that touched them |
//! | [`export`] | everything that is stored as one zip, streamed from one snapshot: tables, and files that people know |
//! | [`restore`] | an export taken back into a store without rows: a zip held against its manifest, stored in one transaction |
//! | [`store`] | grants, connections and the record in PostgreSQL: the actors' ports, one statement a function |
//! | [`sample`] | the sample household: made of the day, and loaded by the path of a push |
//! | [`import`] | files people have, read into the records that a push takes |
//! | [`html`] | HTML to what a person sees of it: the one door, at import and at reading; pure |
//! | [`occurrences`] | calendar series expanded in their own zone; pure |
//! | [`db`] | the private PostgreSQL, pools, transactions, migrations; knows no table of the sectors |
//! | [`catalog`] | the six sectors as data: query, schema, ingest and erase read it, so a new table needs no line there |
//! | [`providers`] | the list of what may stand behind a connection |
//! | [`tls`] | the client's side of TLS, for the database and the commands |
//! | [`config`] | file and environment, checked once |
//!
//! Below all of them stands the crate `sextant_actors`: the words of the domain, the supervised actors, and the ports
//! (traits) that this crate implements. It knows no HTTP, no SQL, no provider.
//!
//! # What never happens
//!
//! - SQL stands in `sql/` and `query/compile*` only; identifiers come from the catalogue, values are bound.
//! - Every read by an agent is one call through [`calls::Desk`]: grant, sector, run, record. A sector that is not granted
//!   is denied before any SQL.
//! - A key or secret is a digest from the first line that sees it; no log, error or `Debug` carries one, nor a payload.
//! - Every change to more than one thing is one named transaction ([`db::tx`]).
//! - Every queue, body, page, wait and retry has a named limit.
//!
//! # Three flows
//!
//! An agent's `query`: `http::mcp` digests the key, `GrantsHandle` resolves it from a published snapshot, a session actor
//! runs `calls::Desk`, which goes `query::request` -> `check` -> `compile` -> `run` -> `answer`; one row goes to the record,
//! and the bytes pass the session's gate on their way to the connection.
//!
//! A device's push: `http::ingest` checks the secret against the connections in memory, only then reads the body;
//! `ingest::prepare` validates it into a spool, `ingest::store` stores it, with the occurrences of the series it touched.
//!
//! The operator turns a sector off: `http::console` sends an edit, the grants' actor commits it, publishes a new epoch,
//! has every session of that agent ended and its connections cleared (`http::wire`), and answers how many sessions there were.
//!
//! `tests/it/tidy` holds these rules to the source.

pub mod app;
pub mod calls;
pub mod catalog;
pub mod cli;
pub mod config;
pub mod db;
pub mod derived;
pub mod export;
pub mod html;
pub mod http;
pub mod import;
pub mod ingest;
pub mod occurrences;
pub mod providers;
pub mod query;
pub mod restore;
pub mod sample;
pub mod store;
pub mod tls;
