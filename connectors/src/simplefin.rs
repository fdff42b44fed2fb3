//! Banks by SimpleFIN, protocol versions 1 and 2: one access for all banks that a person has linked at a bridge (r123).
//!
//! ```text
//! token.rs      a setup token, taken apart          claim.rs     the access that it is given for, once
//! access.rs     where to ask, and with what         client.rs    requests: each is for all banks
//! answer.rs     an answer of either version         account.rs   one account of it
//! banks.rs      what an answer says of its banks    institution.rs the bank of an account
//! feed.rs       the accounts of a sign-in, in rounds
//! spans.rs      which time is asked for next        position.rs  what an account goes on from
//! telling.rs    an answer as pages                  items.rs     accounts and payments as rows
//! relinked.rs   accounts under another id           gone.rs      accounts that are not listed any more
//! holdings.rs   what an account holds, a page      changes.rs   what is put, kept, removed, left out
//! ```
//!
//! The interface tells no changes. Each round reads the last weeks anew, as a pass over each account as far back as its bank tells; what
//! lies before is read once, in spans of less than 90 days. Every request counts against those that the bridge allows a day.

mod access;
mod account;
mod answer;
mod banks;
mod changes;
mod claim;
mod client;
mod feed;
mod gone;
mod holdings;
mod institution;
mod items;
mod position;
mod relinked;
mod spans;
mod telling;
mod token;

pub(crate) use self::access::SimpleFinAccess;
pub(crate) use self::claim::claim;
pub use self::feed::SimpleFinFeed;
pub(crate) use self::token::SetupToken;
