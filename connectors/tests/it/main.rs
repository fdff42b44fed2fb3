//! The connectors against real servers that nobody here wrote, and against servers that misbehave.
//!
//! ```text
//! support   certificates, the address of a name that is led here, a store of pages
//! consented whom a person can consent to, and what follows from what they granted
//! dav       calendars and contacts, against Radicale and Xandikos
//! enable_banking  banks by Enable Banking, against a stand-in held to its description
//! google    calendars and contacts of Google, against a stand-in written from its documents
//! guard     what leaves, and where to: redirects, names, limits
//! imap      mail, against Dovecot
//! oauth     signing in, against emulate and oauth2-mock-server, and what the tokens are sent to
//! microsoft mail, calendars and contacts of a Microsoft account, against a stand-in
//! same      the same thing by every way has the same columns
//! providers what is entered, what is sealed, where it leads
//! simplefin banks by SimpleFIN, against a stand-in written from the protocol's text
//! whoop     recovery, sleep and exercise, against a stand-in that keeps a person's records
//! home      Home Assistant with its demo world, and homes that misbehave
//! ```

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

mod consented;
mod dav;
mod enable_banking;
mod google;
mod guard;
mod home;
mod imap;
mod microsoft;
mod oauth;
mod providers;
mod same;
mod simplefin;
mod support;
mod whoop;
