//! Calendars and contacts of Google: after each round the store holds what a stand-in, written from Google's documents, holds.
//!
//! ```text
//! server    requests, tokens, faults       stage      feeds, rounds, what is compared
//! agenda    the state of the calendars     book       the state of the contacts
//! chance    numbers that look like chance
//! ```

mod agenda;
mod book;
mod calendars;
mod chance;
mod contacts;
mod kills;
mod server;
mod stage;
mod trouble;
