//! The agent port: MCP over Streamable HTTP, in both of the protocol's eras, on one address.
//!
//! A request passes, in this order: `door` (Host, Origin) → `auth` (key → ticket) → `shares` (what the agent may hold of the
//! port) → `upload` → `measure` (no mountain of values) → `envelope` (one JSON-RPC message) → `era` (stateless, handshake, or
//! a session) → a lease from the session actors → rmcp, through `adapter` and `visit` → `body` (every byte passes the
//! session's gate, and what its answer holds is given back with it, `holds`). rmcp owns the wire rules; it never decides whether a
//! session may exist, and the tools it calls (`service`) reach data only through `Lease::call`. Every error leaves through `rpc`; a
//! call whose body is refused on the way leaves its row by `refused`.
//!
//! What is decided before an actor is asked is pure and public: the fuzzer drives it as it stands (`fuzz/`).
//!
//! It knows handles and HTTP; it must not know the database, the query engine or an actor's address.

mod adapter;
pub mod auth;
mod body;
pub mod call;
mod convert;
pub mod door;
pub mod envelope;
pub mod era;
pub mod farewell;
pub mod fault;
mod holds;
pub mod limits;
mod measure;
pub mod message;
pub mod refused;
mod restore;
mod rpc;
pub mod server;
mod service;
mod sessions;
mod shares;
pub mod tools;
pub mod upload;
mod visit;
