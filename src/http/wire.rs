//! What stands under the two servers: the connections themselves, and what each of them still holds of an answer.
//!
//! ```text
//! body -> Passage (its session's gate) -> actix's buffer -> SocketStream -> the system's send queue -> the other end
//! ```
//! A byte that has passed its gate has not left: it may wait in actix's buffer, or in the system's queue for as long as the other
//! end reads nothing. So each connection keeps count of whose bytes it was given ([`held`]), and an edit of a grant resets those
//! that still hold some of the old one before it is answered (r504). It is reset rather than closed, since what a closed connection
//! has in its queue is sent all the same; for the same reason one that ends by itself is closed only when its queue is empty.
//!
//! | what | where |
//! |---|---|
//! | one connection | [`stream`] under actix, [`socket`] shared by all that handle it, [`held`] what it holds of which grant, [`send_queue`] what the system says of its send queue |
//! | an answer's way | [`passage`] |
//! | all of a port | [`port_sockets`]: how many, and which is closed for the next; [`in_flight`]: which of them serve a request |
//! | all of both | [`all_sockets`]: what an edit clears |
//! | bounds | [`limits`] |

pub(crate) mod all_sockets;
mod held;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod passage;
mod port_sockets;
mod send_queue;
mod socket;
mod stream;

pub use all_sockets::AllSockets;
pub use limits::ConnectionLimits;
pub use passage::{Passage, PassageError};
pub use port_sockets::PortSockets;
pub use socket::Socket;
pub use stream::{SocketStream, accept};
