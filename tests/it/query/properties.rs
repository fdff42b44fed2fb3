//! What holds for every query, whatever happens meanwhile.
//!
//! | file | what it proves |
//! |---|---|
//! | `hostile` | no input reaches beyond the granted sectors or the user |
//! | `churn` | the pages of an answer add up to the whole, while random rows are added, deleted and moved |
//! | `deltas` | a snapshot with the changes since it equals the present rows, while devices push |
//! | `size` | no answer exceeds its budget |
//! | `fences` | no text closes its own fence |
//! | `days` | days, hours and months of zones with clock changes |

mod churn;
mod days;
mod deltas;
mod fences;
mod hostile;
mod size;
