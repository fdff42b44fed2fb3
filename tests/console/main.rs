//! The Console's page in a real browser: the real program on a database of its own, Chromium, and what a person does with both.
//!
//! ```text
//! harness/   the browser and how a test speaks to it: one driver a test process, one session a test
//! support    what the other test program has as well: a database, the service as a process
//! frame      the frame of every screen: places, theme, addresses, the rules of accessibility on all of them
//! accessible  single pages and dialogs by the rules of accessibility
//! keyboard   agents by the keyboard alone
//! safety     a foreign name, another site's page, the policy
//! forced_colours  what is told apart in colours of the system
//! away       a service that goes away and comes back; languages and zones
//! welcome    the first steps
//! agents     keys, switches, deadlines, cutting everyone off
//! connections  devices: secrets, pause, disconnect, the sample
//! sources    sources that are read by themselves: catalogue, form, plan, revoke
//! dav        a server of calendars and contacts as a person connects it
//! own_server a server that is connected, read now, paused, away, back, and disconnected
//! at_providers  where one signs in, what one has there, and settings that lead there
//! consents   signing in at a provider: in full, in part, cancelled, revoked
//! consents_begun  the address to register, the name to begin under, and by keyboard alone
//! whoop      the same at one that sends no browser back
//! banks      a bridge to banks: its token, a bank that needs the person, a bridge that fails at first
//! banks_linked  banks that are linked with an application of one's own
//! provider_apps  what providers know this service by
//! sign_in    a credential that is renewed, is good for some sectors, and is on no page
//! home       what agents may act on in a home
//! files      files that are dropped into the page
//! activity   the audit log
//! remote     remote access, and the page on which an agent's key is shown
//! settings   the parts of the service
//! data       every table, the view as an agent, hostile records, the search
//! fetching   what a fetch from the sources did
//! duplicates  accounts that two sources may both have
//! erasing    export and erase
//! ```
//!
//! Every test collects what the page complains of (refused by the content security policy, errors in the browser's log) and fails with
//! it at its end, unless it has said that it expects it. A machine without Chromium and its driver skips these tests, aloud.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

mod accessible;
mod activity;
mod agents;
mod at_providers;
mod away;
mod banks;
mod banks_linked;
mod connections;
mod consents;
mod consents_begun;
mod data;
mod dav;
mod duplicates;
mod erasing;
mod fetching;
mod files;
mod forced_colours;
mod frame;
mod harness;
mod home;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../connectors/tests/it/home/server.rs"]
mod home_server;
mod keyboard;
mod own_server;
mod provider_apps;
mod remote;
mod safety;
mod settings;
mod sign_in;
mod sources;
mod support;
mod welcome;
mod whoop;
