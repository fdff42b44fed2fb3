//! Sextant: one person's data in six sectors, served to AI agents through grants, every call witnessed.
//!
//! # The rooms
//!
//! A room uses only those below it; which ones, `tests/it/tidy/layers/rooms.rs` lists.
//!
//! | room | what lives there |
//! |---|---|
//! | [`cli`] | the command line: `serve`, `demo`, `push`, `export`, `import`, `doctor`, `key`; the log |
//! | [`app`] | the composition root: everything is started there, in order, and stopped there, in order |
//! | [`http`] | the surfaces (Console, ingest, read mirror, agents' MCP) and what they share of HTTP; none imports another |
//! | [`doctor`] | what stands between a hosted agent and an answer, tried from outside step by step, each with what to do |
//! | [`calls`] | the tool service: the seven tools, the one path by which an agent's call reaches data, and what it may have under way |
//! | [`sample`] | the sample household: made of the day, and loaded by the path of a push |
//! | [`uploads`] | files that are dropped into the page: received, checked, and stored as pushes are |
//! | [`sign_ins`] | from what a person enters, or consents to in a browser, to a sign-in with its connections: exchanged, tried at the source, sealed, stored |
//! | [`bridge`] | agents elsewhere that can hold no key: they sign in with OAuth, and a person shows the agent's key once |
//! | [`intake`] | files on their way to the store: each record to the connection of its table, in batches; told to a listener, sent to a sink |
//! | [`import`] | an export taken back into a store without rows: a zip held against its manifest, stored in one transaction |
//! | [`export`] | everything that is stored as one zip, streamed from one snapshot: tables, and files that people know |
//! | [`query`] | from what an agent asked to what it reads: request, check, compile, run, answer |
//! | [`sync`] | data that comes by itself: rounds over the sources of connections, each page stored with its position; how long a home's past is kept |
//! | [`tokens`] | access tokens of sign-ins at which a person has consented: renewed, committed before they are used, and given to who asks a source |
//! | [`pushes`] | a push to a known connection: stored, published, and one row in the audit log |
//! | [`ingest`] | from the bytes a device pushed to rows: decode, validate, store in one transaction |
//! | [`store`] | grants, connections and the audit log in PostgreSQL: the actors' ports, one statement a function |
//! | [`derived`] | rows made of other rows, `health.days` and `finance.balances`, and which rows are served of an account that several sources have; settled in the transaction that touched them |
//! | [`statements`] | the SQL that writes, looks up, erases, exports and restores the sectors' tables, made from the catalogue; pure |
//! | [`local_days`] | where the days of a time zone begin and end; pure |
//! | [`db`] | the private PostgreSQL, pools, transactions, migrations; knows no table of the sectors |
//! | [`sealing`] | credentials at rest: sealed for their sign-in with a key that is kept outside the database |
//! | [`catalog`] | the six sectors as data: query, schema, ingest and erase read it, so a new table needs no line there |
//! | [`capacity`] | how much may be in use at one time: slots for a kind of work, quotas for each agent |
//! | [`providers`] | the list of what may stand behind a connection, each with the way out of its settings |
//! | [`exposure`] | the address by which agents elsewhere reach the agent port, if there is one; pure |
//! | [`tls`] | the client's side of TLS, for the database and the commands |
//! | [`config`] | file and environment, checked once |
//! | [`host`] | hosts and authorities as they are written in a setting or a header: their one reader; pure |
//!
//! Below all of them stands the crate `sextant_actors`: the words of the domain, the supervised actors, and the ports
//! (traits) that this crate implements. It knows no HTTP, no SQL, no provider. Beside it stands `sextant_formats`: files people
//! have, read into the records that a push takes; HTML to what a person sees of it; calendar series expanded. It is pure but for
//! reading files.
//!
//! # What never happens
//!
//! - SQL stands in `sql/`, `query/compile*` and `statements*` only; identifiers come from the catalogue, values are bound.
//! - Every read by an agent is one call through [`calls::ToolService`]: grant, sector, run, audit. A sector that is not granted
//!   is denied before any SQL.
//! - A key or secret is a digest from the first line that sees it; no log, error or `Debug` carries one, nor a payload.
//! - Every change to more than one thing is one named transaction ([`db::tx`]).
//! - Every queue, body, page, wait and retry has a named limit.
//!
//! # Three flows
//!
//! An agent's `query`: `http::mcp` digests the key, `GrantsHandle` resolves it from a published snapshot, a session actor
//! runs `calls::ToolService`, which goes `query::request` -> `check` -> `compile` -> `run` -> `answer`; one row goes to the audit
//! log, and the bytes pass the session's gate on their way to the connection.
//!
//! A device's push: `http::ingest` checks the secret against the connections in memory, only then reads the body;
//! `ingest::prepare` validates it into a spool, `pushes` has `ingest::store` store it, with the occurrences of the series it
//! touched, and writes the audit row.
//!
//! The operator turns a sector off: `http::console` sends an edit, the grants' actor commits it, publishes a new epoch,
//! has every session of that agent ended and its connections cleared (`http::wire`), and answers how many sessions there were.
//!
//! `tests/it/tidy` holds these rules to the source.

#![deny(unreachable_pub)]

pub mod app;
pub mod bridge;
pub mod calls;
pub mod capacity;
pub mod catalog;
pub mod cli;
pub mod config;
pub mod db;
mod derived;
pub mod doctor;
pub mod export;
pub mod exposure;
pub mod host;
pub mod http;
pub mod import;
pub mod ingest;
pub mod intake;
mod local_days;
pub mod providers;
mod pushes;
pub mod query;
pub mod sample;
pub mod sealing;
pub mod sign_ins;
pub mod statements;
pub mod store;
pub mod sync;
mod tls;
mod tokens;
pub mod uploads;
