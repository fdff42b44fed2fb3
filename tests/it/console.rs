//! The Console port itself, and `/api/connections`.

mod connections;
mod disconnect;
mod health;
mod host_check;
mod routes;
mod statements;
