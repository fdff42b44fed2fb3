//! The audit log against docs/requirements.md, every column of it: what each kind of call leaves, what leaves
//! nothing, and that no sequence of calls, refusals, faults and restarts gives rows other than the rules say.
//!
//! | file | what it proves |
//! |---|---|
//! | `row` | a row of the table without its id and stamp |
//! | `table` | the table itself: columns, indexes, what it refuses |
//! | `random` | random sequences against a model of the rules |
//! | `redaction` | no value under a matching name is stored |

mod random;
pub mod redaction;
mod row;
mod table;
