//! Sextant's actors: supervision, the record, the grants, the sessions, the connections, and the ports they reach the world through.

pub mod clock;
pub mod connections;
pub mod domain;
pub mod grants;
pub mod limits;
pub mod ports;
pub mod random;
pub mod record;
pub mod sessions;
pub mod supervise;
pub mod tree;
