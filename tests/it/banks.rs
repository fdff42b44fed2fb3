//! Banks that are read by themselves, through the whole service, against a stand-in of a bridge.
//!
//! ```text
//! world      the service, a bridge, and the clock between them
//! claimed    a setup token becomes a sign-in, also where the bridge fails after it was claimed
//! read       accounts, payments and what their banks complain of, as agents are told of them
//! counted    the requests of a day, over restarts
//! linked     banks that are linked by an application of the operator's: consent, its end, and again
//! net_worth  what is owned on each day, over read and pushed accounts
//! beside     one account that an aggregator and a bridge both have
//! linked_again  a link in place of another, and one that is completed later
//! linked_month  a month of a linked bank, whose consent ends and is given again
//! month      a month of rounds as they fall due, while banks fail and come back
//! ```

mod beside;
mod claimed;
mod counted;
mod linked;
mod linked_again;
mod linked_month;
mod month;
mod net_worth;
mod read;
mod world;
