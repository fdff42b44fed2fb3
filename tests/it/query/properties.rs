//! What holds whatever is asked, and whatever happens meanwhile.
//!
//! | file | what it proves |
//! |---|---|
//! | `hostile` | no input leaves the granted sectors or the user |
//! | `churn` | pages put together are the whole, while random rows come, go and move |
//! | `deltas` | a snapshot and what changed since are the present, while devices push |
//! | `size` | no answer exceeds its budget |
//! | `fences` | no text closes its own fence |
//! | `days` | days, hours and months of zones whose clocks leap |

mod churn;
mod days;
mod deltas;
mod fences;
mod hostile;
mod size;
