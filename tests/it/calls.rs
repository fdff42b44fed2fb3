//! The tool service: what each tool answers, and the audit row that it leaves.
//!
//! | file | what it proves |
//! |---|---|
//! | `decisions` | decision, outcome, sector and count of every kind of call |
//! | `pieces` | a record longer than one answer |
//! | `tools` | the answers of the seven tools |

mod decisions;
mod pieces;
mod tools;
