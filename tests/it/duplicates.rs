//! Accounts that several sources have, through the whole service: two bridges to the same banks, and pushes beside them.
//!
//! ```text
//! world      the service, two bridges, the clock of all three, and a reader that follows by change cursors
//! merged     what is served of two, before an answer and after each
//! asked      what the operator is asked, and refused
//! pushed     what devices push of an account that a bridge has
//! several    an account of three sources, and what is owned on each day
//! moved      an export of it, taken back
//! random     random histories, compared with a model
//! ```

mod asked;
mod merged;
mod moved;
mod pushed;
mod random;
mod several;
mod world;
