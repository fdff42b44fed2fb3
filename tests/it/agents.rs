//! `/api/agents` and `/api/sessions`.

mod create;
mod edit;
mod list;
mod preview;
mod revoke_all;
