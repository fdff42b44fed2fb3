//! The Console port itself, and `/api/connections` `/api/sample` and `/api/actors`.

mod actors;
mod connections;
mod disconnect;
mod health;
mod host_check;
mod routes;
mod sample;
