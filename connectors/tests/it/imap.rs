//! Mail, against Dovecot and against servers that misbehave.
//!
//! ```text
//! dovecot   the server            store     what pages become, to be compared with the server
//! sync      rounds over it        fake      a server that says what a test wants
//! trouble   what must not hurt
//! ```

pub mod dovecot;
mod fake;
mod store;
mod sync;
mod trouble;
