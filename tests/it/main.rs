//! Everything through real surfaces: a real server, real processes, real faults.

mod agents;
mod audit;
mod console;
mod support;
