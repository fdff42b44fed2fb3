//! The stores: one file per table group, each public function one statement in `sql/` or one transaction of a few.
//!
//! They implement the actors' ports (`GrantStore`, `ConnectionStore`, `AuditStore`, and `Disk` for the journal's folder) and serve
//! the Console's reads. They know rows and values, nothing of HTTP.

pub mod agents;
pub mod audit;
pub mod audit_hourly;
pub mod audit_read;
pub mod connections;
pub mod erase;
mod failure;
pub mod journal;
pub mod sectors;
