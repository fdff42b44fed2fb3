//! The Console's page in a real browser: the real program on a database of its own, Chromium, and what a person does with both.
//!
//! ```text
//! harness/   the browser and how a test speaks to it: one driver a test process, one session a test
//! support    what the other test program has as well: a database, the service as a process
//! frame      the frame of every screen: places, theme, what is live, addresses
//! ```
//!
//! Every test collects what the page complains of (refused by the content security policy, errors in the browser's log) and fails with
//! it at its end, unless it has said that it expects it. A machine without Chromium and its driver skips these tests, aloud.

mod frame;
mod harness;
mod support;
