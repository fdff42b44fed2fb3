//! The agent port: MCP over Streamable HTTP, in both of the protocol's eras, on one address.
//!
//! A request passes, in this order: `head_check` (Host, Origin) → `port` (key → ticket → the agent's share of the port, by
//! `http::admission`) → `upload` → `measure` (how many values, how deep) → `envelope` (one JSON-RPC message) → `era` (stateless,
//! handshake, or a session) → a lease from the session actors → rmcp, through `handler` and `request` → `http::gated_body` (every byte
//! passes the session's gate, and the quota that the answer holds is given back with its last byte, `holds`). rmcp implements the
//! protocol; it never decides whether a session may exist, and the tools it calls (`service`) reach data only through `Lease::call`. Every error leaves through
//! `error_response`; a call whose body is refused on the way leaves its audit row by `refused`.
//!
//! What is decided before an actor is called is pure and public, so that the fuzzer can drive it (`fuzz/`).
//!
//! It knows handles and HTTP; it must not know the database, the query engine or an actor's address.

pub mod call;
mod connection_owner;
mod convert;
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
