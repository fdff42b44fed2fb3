//! The Console port itself: its routes and their description, the inspector, and `/api/connections`, `/api/sample`
//! and `/api/actors`.

mod actors;
mod connections;
mod counts;
mod crowded;
mod disconnect;
mod events;
mod health;
mod host_check;
mod inspector;
mod metrics;
mod onboarding;
mod openapi;
mod plans;
mod published;
mod push_tables;
mod pushes;
mod restarts;
mod routes;
mod sample;
mod schemathesis;
mod sources;
mod status;
