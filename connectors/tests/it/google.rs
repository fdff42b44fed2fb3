//! Calendars and contacts of Google: after each round the store holds what a stand-in, written from Google's documents, holds.
//!
//! ```text
//! stage      the stand-in, feeds and rounds, and compared: what they stored
//! calendars, contacts   what comes of each       trouble   every way in which it fails
//! kills      rounds that are cut off anywhere    judges    Google's official client, and prism itself
//! ```

mod calendars;
mod compared;
mod contacts;
mod judges;
mod kills;
pub mod stage;
mod trouble;
