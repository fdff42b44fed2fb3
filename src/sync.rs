//! Data that comes by itself: rounds over the sources of connections, and what is stored of them.
//!
//! ```text
//! rounds.rs    the port that the connections' actors call   round.rs     one round, page by page
//! source.rs    a connection and the way to its source       page.rs      a page with its position, in one transaction
//! verdict.rs   what follows from a failure (pure)           settle.rs    health, problem, when to try again
//! known.rs     what of a scope is stored                    runs.rs      the runs that a person looks at
//! tally.rs     what a round has done so far (pure)          homes.rs     sources that can be acted on now
//! history_kept.rs  states of a home that are too old
//! ```
//!
//! When a round runs is decided in `actors/src/sync`; what a source says, in `connectors/`. Here it becomes rows.

mod history_kept;
mod homes;
mod known;
mod limits;
mod page;
mod round;
mod rounds;
mod runs;
mod services;
mod settle;
mod source;
mod tally;
mod verdict;

pub(crate) use history_kept::forget_history;
pub use homes::LiveHomes;
pub(crate) use rounds::SourceRounds;
pub use rounds::SyncThreads;
pub(crate) use runs::cut_all;
pub(crate) use services::SyncParts;
