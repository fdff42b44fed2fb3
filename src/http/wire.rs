//! The TCP connections under both servers, and which bytes of agents' answers each of them still holds.
//!
//! ```text
//! body -> Passage (its session's gate) -> actix's buffer -> SocketStream -> the system's send queue -> the other end
//! ```
//! A byte that has passed its gate may still wait in actix's buffer, or in the system's send queue for as long as the peer reads
//! nothing. So each connection counts the bytes it was given by grant ([`held`]), and an edit of a grant resets every connection that
//! still holds bytes of the old grant before the edit is answered (r504). A reset discards the send queue; a close would still send
//! it. For the same reason a connection that ends by itself is closed only when its queue is empty.
//!
//! | what | where |
//! |---|---|
//! | one connection | [`stream`]: the transport that actix drives; [`socket`]: shared by everything that handles the connection; [`held`]: which grant's bytes it holds; [`send_queue`]: the length of the system's send queue |
//! | one answer | [`passage`]: through its session's gate onto its connection |
//! | one port | [`port_sockets`]: how many connections, and which is closed to make room; [`in_flight`]: which of them serve a request |
//! | both ports | [`all_sockets`]: clears connections when a grant is edited |
//! | limits | [`limits`] |

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
