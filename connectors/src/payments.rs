//! Payments that a bank has not booked yet, and the booked ones that they become (providers rule 13).
//!
//! ```text
//! waiting.rs    what a position keeps of an account's pending payments      matching.rs  which booked one took over which (pure)
//! ```
//!
//! A source gives the booked payment an id of its own and names no link. Whoever reads an account tells [`WaitingPayments`] what is listed
//! now; it says which pending ones are gone, and which of them a booked one replaces. Position and rows are stored in one transaction, so
//! each pending payment is taken over at most once, wherever a round is cut off.

mod matching;
mod waiting;

pub(crate) use self::matching::Payment;
pub(crate) use self::waiting::{ListedPayments, WaitingPayments};
