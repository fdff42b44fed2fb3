//! Recovery, sleep and exercise of a person who wears a WHOOP (developer interface, version 2).
//!
//! ```text
//! feed.rs        the sector of a sign-in, in rounds         listing.rs     one list of a collection, page by page
//! steps.rs       which part of a collection is read next     collection.rs  the four collections, and how they differ
//! position.rs    what a collection goes on from              wire.rs        records as they are sent
//! client.rs      requests, and answers of one page           items.rs       records as rows
//! allowance.rs   how many requests are left                  account.rs     whose it is, and the end of a consent
//! ```
//!
//! The interface tells no changes. Scores come and are corrected within days, so each round reads the last
//! [`crate::limits::WHOOP_REREAD`] anew, as a pass; what lies before is read once, in steps, newest first.

mod account;
mod allowance;
mod client;
mod collection;
mod feed;
mod items;
mod listing;
mod position;
mod steps;
mod wire;

pub use account::{WhoopAccount, account_of, revoke};
pub use collection::WhoopCollection;
pub use feed::WhoopFeed;
