//! The agent port: MCP over Streamable HTTP, in both of the protocol's eras, on one address.
//!
//! A request passes, in this order: `door` (Host, Origin) → `auth` (key → ticket) → `shares` (what the agent may hold of the
//! port) → `upload` → `measure` (no mountain of values) → `envelope` (one JSON-RPC message) → `era` (stateless, handshake, or
//! a session) → a lease from the session actors → rmcp, through `adapter` and `visit` → `body` (every byte passes the
//! session's gate). rmcp owns the wire rules; it never decides whether a session may exist, and the tools
//! it calls (`service`) reach data only through `Lease::call`. Every error leaves through `rpc`.
//!
//! It knows handles and HTTP; it must not know the database, the query engine or an actor's address.

mod adapter;
mod auth;
mod body;
mod connections;
mod convert;
mod door;
mod envelope;
mod era;
mod farewell;
mod fault;
mod limits;
mod measure;
mod rpc;
pub mod server;
mod service;
mod sessions;
mod shares;
pub mod tools;
mod upload;
mod visit;
