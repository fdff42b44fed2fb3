//! Sextant's actors, and the ports through which they reach the world.
//!
//! # Rooms
//! Each uses only rooms that stand below it in this table; `tests/it/tidy/actors.rs` has the list and checks it. Words that are this
//! project's own (gate, witness, lease, ticket, epoch, journal) are defined in ARCHITECTURE.md, "Words".
//!
//! | room | holds |
//! |---|---|
//! | [`tree`] | what is started in which order, and how it is stopped |
//! | [`grants`] | who may call: the one writer of the grants, and its handle |
//! | [`sessions`] | whatever serves an agent, each session behind a gate; one registry opens and ends them; calls run where they are made |
//! | [`connections`] | what devices may push to and what is read: a published snapshot, its one writer, and the actors that follow it |
//! | [`sign_ins`] | consents whose connections need access tokens: one is obtained at a time, for all who wait |
//! | [`sync`] | connections that are read from their sources: when the rounds of each run, one at a time |
//! | [`audit`] | every call becomes one row of the audit log; one batcher writes them to the database |
//! | [`journal`] | the local file in which a row stands before its answer leaves |
//! | `audit_queue` | the entries that wait for journal and database, their numbers, and whose turn it is to write the journal |
//! | `published_grants` | the snapshot against which a key is resolved |
//! | `issued_tokens` | access tokens, and the key that each stands for |
//! | [`supervise`] | the guard around every actor and around a call's work, its policies, restarts on request, the status board, the thread |
//! | `port_calls` | how a store is called: with a deadline, and again when that is safe |
//! | [`ports`] | the traits that the service implements: stores, rounds, tokens, the journal's disk, the tools, the agents' connections |
//! | `entry` | a row of the audit log before it is stored: redaction, bounds, its bytes in the journal |
//! | [`domain`] | the terms that every room uses, as plain values |
//! | [`limits`] | every limit by name |
//! | `backoff`, [`clock`], [`random`] | waits after failures; the one reader of the clock; the one source of randomness |
//!
//! # Messages
//! | actor | policy | message | sender |
//! |---|---|---|---|
//! | `AuditBatcher` | permanent | `Drain` (recording is no message: entries go into a shared queue) | [`tree::ActorTree::drain`] |
//! | `GrantsActor` | permanent | `Edit`, `RevokeAll`, `EndSessions`, `Restore`, `ReloadGrants` | [`grants::GrantsHandle`] |
//! | `SessionRegistry` | permanent | `Open`, `Find` (of sessions that are not live), `KillAgents`, `KillAll`, `List` | [`sessions::SessionsHandle`]; `KillAgents` from the grants |
//! | `Session` | temporary | `Kill` (calls are no message: they run in their callers' futures) | [`sessions::Lease`] and the registry |
//! | `ConnectionsActor` | permanent | `Reload` | [`connections::ConnectionsHandle`]; every `SyncActor` that stored how it fares |
//! | `SyncActor` x n | transient | `SyncNow`, `BeginNow`, `ReloadPlan`, `Halt` | [`sync::SyncHandle`], which the connections hold |
//! | `SignInActor` x n | transient | `Ask`, `Forget`, `AwaitEnd` | [`sign_ins::SignInsHandle`] |
//!
//! Waiting goes one way, grants to registry to session, so that there is no deadlock.
//!
//! # Invariants
//! 1. No address leaves this crate: only handles do, which own their time-outs and return domain errors.
//! 2. No HTTP, no SQL, no provider in here; nothing reads the environment.
//! 3. No registry of actix, no global state.
//! 4. Recording is one write to the journal at the most, and fails nobody; an answer waits at most 5 ms for another's write. A row is
//!    counted as waiting until it is committed, and stays in the journal, if that took it, for as long.
//! 5. No call without its one row: a witness that is dropped records as well.
//! 6. No grant is published before the sessions of a changed one can no longer be opened, and no edit answers before they have ended.
//! 7. No byte passes a closed gate, and no gate opens again. What had passed before it closed is cleared from the connections
//!    ([`ports::Outlets`]) before the edit that closed it is answered.
//! 8. No two tokens of one sign-in are obtained at one time, and what has begun ends, whoever waits for it.
//! 9. Nothing that must happen is left to an actor's `stopping` or `stopped`.

#![deny(missing_docs, unreachable_pub)]

pub mod audit;
mod audit_queue;
mod backoff;
pub mod clock;
pub mod connections;
pub mod domain;
mod entry;
pub mod grants;
mod issued_tokens;
pub mod journal;
pub mod limits;
mod port_calls;
pub mod ports;
mod published_grants;
pub mod random;
pub mod sessions;
pub mod sign_ins;
pub mod supervise;
pub mod sync;
pub mod tree;
