//! Sextant: one person's data, six sectors, served to AI agents through grants, every call witnessed.

pub mod app;
pub mod calls;
pub mod catalog;
pub mod cli;
pub mod config;
pub mod db;
pub mod http;
pub mod import;
pub mod ingest;
pub mod occurrences;
pub mod query;
pub mod store;
