//! The stores: one file for each group of tables; each public function runs one statement of `sql/` or one transaction.
//!
//! They implement the actors' ports (`GrantStore`, `ConnectionStore`, `AuditStore`, and `Disk` for the journal's folder) and
//! serve the Console's reads. They know rows and values, and nothing of HTTP.

pub(crate) mod agents;
pub mod audit;
pub mod audit_hourly;
pub mod audit_read;
pub(crate) mod bridge;
pub mod connections;
pub(crate) mod duplicates;
pub(crate) mod erase;
mod failure;
pub(crate) mod journal;
pub(crate) mod provider_apps;
pub mod pushes;
pub(crate) mod sectors;
pub(crate) mod settings;
pub mod sign_ins;
pub(crate) mod source_requests;
pub(crate) mod store_away;
pub(crate) mod sync_runs;
