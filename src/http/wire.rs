//! What stands under the two servers: the connections themselves, and what each of them still holds of an answer.
//!
//! ```text
//! body -> Passage (its session's gate) -> actix's buffer -> Stream -> the system's send queue -> the other end
//! ```
//! A byte that has passed its gate has not left: it may wait in actix's buffer, or in the system's queue for as long as the other
//! end reads nothing. So each connection keeps account of whose bytes it was given ([`held`]), and an edit of a grant resets those
//! that still hold some of the old one before it is answered (r504). It is reset rather than closed, since what a closed connection
//! has in its queue is sent all the same; for the same reason one that ends by itself is closed only when its queue is empty.
//!
//! | what | where |
//! |---|---|
//! | one connection | [`stream`] under actix, [`line`] shared with those who look after it, [`held`] its account, [`queue`] the system's word |
//! | an answer's way | [`passage`] |
//! | all of a port | [`lines`]: how many, and who gives way; [`attended`]: which of them serve a request |
//! | all of both | [`outlets`]: what an edit clears |
//! | bounds | [`limits`] |

pub mod attended;
mod held;
pub mod limits;
mod line;
mod lines;
pub mod outlets;
pub mod passage;
mod queue;
mod stream;

pub use limits::Limits;
pub use line::Line;
pub use lines::Lines;
pub use outlets::AllLines;
pub use passage::{Passage, PassageError};
pub use stream::{Stream, accept};
