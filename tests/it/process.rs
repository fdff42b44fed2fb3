//! The program as a process: the real binary in throw-away data directories, seen from outside only.

mod crashes;
mod expect;
mod full_disk;
mod memory;
mod minute;
mod refusals;
mod secrecy;
mod service;
mod start_stop;

use service::{Service, Setup};
