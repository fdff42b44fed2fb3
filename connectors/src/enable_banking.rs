//! Banks by Enable Banking, through an application of the operator's own: one bank a link, as long as the bank's consent lasts (r125).
//!
//! ```text
//! application.rs  the application's key, and the tokens it signs    client.rs         requests, each with such a token
//! refusal.rs      what each error means, and what a person does     linking.rs        a consent begun, finished and ended
//! link.rs         what is sealed of a consent                       known.rs          accounts known again after another one
//! feed.rs         the accounts of a link, in rounds                 reading.rs        one round, account by account
//! account.rs      accounts as rows                                  account_pages.rs  what is told of them
//! balances.rs     which balance is which                            span.rs           how far back is asked
//! listing.rs      a list of payments, page by page                  transaction.rs    payments as rows
//! position.rs     what an account goes on from                      telling.rs        what it lists, as pages
//! object.rs       fields of what was sent
//! ```
//!
//! A bank is asked four times a day at most, and tells no changes. Each round reads an account's last weeks anew, as a pass as far back
//! as the bank tells: what is booked first, and told, then what is pending, which many banks cannot say and which takes nothing with it
//! when it fails. An account that fails does not keep the others from being read.

mod account;
mod account_pages;
mod application;
mod balances;
mod client;
mod feed;
mod known;
mod link;
pub(crate) mod linking;
mod listing;
mod object;
mod position;
mod reading;
mod refusal;
mod span;
mod telling;
mod transaction;

pub(crate) use self::application::BankApplication;
pub(crate) use self::client::{BankClient, HOST};
pub use self::feed::EnableBankingFeed;
pub(crate) use self::link::BankLink;
