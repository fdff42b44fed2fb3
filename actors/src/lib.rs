//! Sextant's actors, and the ports through which they reach the world.
//!
//! # What lives where
//! - [`domain`]: the words that every room uses. Plain values.
//! - [`ports`]: the traits that the service implements: where the record, the grants and the connections are stored, the desk that
//!   serves a call, and the connections over which answers leave.
//! - [`supervise`]: the guard around every actor, its policies, the status board, the threads.
//! - [`audit`]: every call becomes one row, redacted and bounded; one batcher writes them.
//! - [`journal`]: the local file in front of it, in which a row stands before its answer leaves.
//! - [`grants`]: who may call: a published snapshot and its one writer.
//! - [`sessions`]: every live thing of an agent, each behind a gate; one registry opens and ends them.
//! - [`connections`]: what devices may push to: a published snapshot and its one writer.
//! - [`tree`]: what is started in which order, and how it is stopped.
//! - [`limits`], [`clock`], [`random`]: every bound by name; the one reader of the clock; the one drawer of randomness.
//!
//! # Messages
//! | actor | policy | message | sender |
//! |---|---|---|---|
//! | `AuditBatcher` | permanent | `Drain` (recording is no message: entries go into a shared queue) | [`tree::ActorTree::drain`] |
//! | `Grants` | permanent | `Edit`, `Restore` | [`grants::GrantsHandle`] |
//! | `SessionRegistry` | permanent | `Open`, `Find` (of sessions that are not there), `KillAgent`, `KillAll`, `List` | [`sessions::SessionsHandle`]; `KillAgent` from the grants |
//! | `Session` | temporary | `Serve`, `Kill` | [`sessions::Lease`]; `Kill` from the registry too |
//! | `Connections` | permanent | `Changed`, `Fetch`, `HaltAll` | [`connections::ConnectionsHandle`] |
//!
//! Waiting goes one way, grants to registry to session, so that there is no deadlock.
//!
//! # Invariants, mostly about absence
//! 1. No address leaves this crate: only handles do, which own their time-outs and speak domain errors.
//! 2. No HTTP, no SQL, no provider in here; nothing reads the environment.
//! 3. No registry of actix, no global state.
//! 4. Recording waits for nothing and fails nobody; an answer waits for the journal's word on its row, 5 ms at the most. A row is in the
//!    queue's account until it is committed, and in the journal, if that took it, for as long.
//! 5. No call without its one row: a witness that is dropped records as well.
//! 6. No grant is published before the sessions of a changed one can no longer be opened, and no edit answers before they have ended.
//! 7. No byte passes a closed gate, and no gate opens again. What had passed before it closed is cleared from the connections
//!    ([`ports::Outlets`]) before the edit that closed it is answered.
//! 8. Nothing that must happen is left to an actor's `stopping` or `stopped`.

#![deny(missing_docs)]

pub mod audit;
mod backoff;
pub mod clock;
pub mod connections;
pub mod domain;
mod entry;
pub mod grants;
pub mod journal;
pub mod limits;
pub mod ports;
mod published_grants;
mod queue;
pub mod random;
pub mod sessions;
pub mod supervise;
pub mod tree;
