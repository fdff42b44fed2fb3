//! Mail, against Dovecot and against servers that misbehave.
//!
//! ```text
//! dovecot   the server            store     what pages become, to be compared with the server
//! sync      rounds over it
//! ```

mod dovecot;
mod store;
mod sync;
