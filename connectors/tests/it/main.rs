//! The connectors against real servers that nobody here wrote, and against servers that misbehave.
//!
//! ```text
//! support   certificates, the address of a name that is led here, a store of pages
//! dav       calendars and contacts, against Radicale and Xandikos
//! guard     what leaves, and where to: redirects, names, limits
//! imap      mail, against Dovecot
//! microsoft mail, calendars and contacts of a Microsoft account, against a stand-in
//! providers what is entered, what is sealed, where it leads
//! home      Home Assistant with its demo world, and homes that misbehave
//! ```

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

mod dav;
mod guard;
mod home;
mod imap;
mod microsoft;
mod providers;
mod support;
