//! Calendars and contacts of Google: after each round the store holds what a stand-in, written from Google's documents, holds.
//!
//! ```text
//! server    requests, tokens, faults        stage     feeds and rounds, and compared: what they stored
//! agenda    the state of the calendars      book      the state of the contacts
//! contract  prism, by Google's documents  judges     Google's official client, and prism itself
//! chance    numbers that look like chance
//! ```

mod agenda;
mod book;
mod calendars;
mod chance;
mod compared;
mod contacts;
mod contract;
mod judges;
mod kills;
mod server;
mod stage;
mod trouble;
