//! What stands under the two servers: the connections themselves, and what each of them still holds of an answer.
//!
//! ```text
//! body -> Passage (its session's gate) -> actix's buffer -> Stream -> the system's send queue -> the other end
//! ```
//! A byte that has passed its gate has not left: it may wait in actix's buffer, or in the system's queue for as long as the other
//! end reads nothing. So each connection keeps count of whose bytes it was given ([`held`]), and an edit of a grant resets those
//! that still hold some of the old one before it is answered (r504). It is reset rather than closed, since what a closed connection
//! has in its queue is sent all the same; for the same reason one that ends by itself is closed only when its queue is empty.
//!
//! | what | where |
//! |---|---|
//! | one connection | [`stream`] under actix, [`mod@line`] shared by all that handle it, [`held`] what it holds of which grant, [`queue`] what the system says of its send queue |
//! | an answer's way | [`passage`] |
//! | all of a port | [`lines`]: how many, and which is closed for the next; [`attended`]: which of them serve a request |
//! | all of both | [`outlets`]: what an edit clears |
//! | bounds | [`limits`] |

pub(crate) mod attended;
mod held;
pub(crate) mod limits;
mod line;
mod lines;
pub(crate) mod outlets;
pub(crate) mod passage;
mod queue;
mod stream;

pub use limits::Limits;
pub use line::Line;
pub use lines::Lines;
pub use outlets::AllLines;
pub use passage::{Passage, PassageError};
pub use stream::{Stream, accept};
