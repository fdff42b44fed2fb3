//! The program as a process: the real binary with temporary data directories, observed from outside only.

mod claimed;
mod crashes;
mod demo;
mod dotenv;
mod erased;
mod expect;
mod export;
mod floods;
mod full_disk;
mod full_journal;
mod gives_up;
mod halfway;
mod hostile;
mod journal;
mod key;
mod memory;
mod minute;
mod push;
pub mod raw;
mod refusals;
mod remote;
mod restarts;
mod rounds;
mod secrecy;
mod service;
mod source_rounds;
mod start_stop;

pub use service::{Service, Setup};
