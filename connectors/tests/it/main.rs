//! The connectors against real servers that nobody here wrote, and against servers that misbehave.
//!
//! ```text
//! support   certificates, and the address of a name that is led here
//! guard     what leaves, and where to: redirects, names, limits
//! home      Home Assistant with its demo world, and homes that misbehave
//! ```

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

mod guard;
mod home;
mod support;
