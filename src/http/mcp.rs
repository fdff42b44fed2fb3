//! The agent port: MCP over Streamable HTTP, in both of the protocol's eras, on one address.
//!
//! Every request passes `handler`: `head_check` (Host, Origin) → `port` (key → ticket → the agent's share of the port, by
//! `http::admission`) → `upload` → `request`, which goes one of two ways.
//!
//! * A stateless `tools/call` that is exactly as the protocol writes it: `direct::call` (read once) → a lease → `Lease::call` →
//!   `direct::answer` (one frame).
//! * Any other message: `measure` (how many values, how deep) → `envelope` (one JSON-RPC message) → `era` (stateless, handshake, or a
//!   session) → a lease → rmcp, through `convert` → `service` → `Lease::call`. rmcp implements the protocol; it never decides whether
//!   a session may exist.
//!
//! Either answer leaves through `http::gated_body`: every byte passes the session's gate, and the quota that the answer holds is given
//! back with its last byte (past rmcp by `holds`). Every error leaves through `error_response`; a call whose body is refused on the way
//! leaves its audit row by `refused`.
//!
//! What is decided before an actor is called is pure and public, so that the fuzzer can drive it (`fuzz/`).
//!
//! It knows handles and HTTP; it must not know the database, the query engine or an actor's address.

pub mod call;
mod connection_owner;
mod convert;
pub mod direct;
pub mod envelope;
pub mod era;
pub mod error;
mod error_response;
pub mod farewell;
mod handler;
pub mod head_check;
mod holds;
mod idle_stream;
pub mod limits;
mod measure;
pub mod message;
mod port;
mod protocol;
pub mod refused;
mod request;
mod restore;
pub mod server;
mod service;
pub mod tools;
mod transports;
pub mod upload;
