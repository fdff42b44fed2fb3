//! Signing in as a client of OAuth, against servers that nobody here wrote, and the tokens on their way to a source.
//!
//! ```text
//! stage     the one who signs in, and what must not be told of it
//! consent   the legs at Google and Microsoft, as emulate has them: scopes, codes, refreshing, revoking
//! spent     refresh tokens that serve once, and all that can become of a request
//! cut_off   renewals that are cut off anywhere, and what was kept of them
//! unlogged  what no log holds of all that
//! bearer    what the tokens are sent to, and to whom they are not
//! ```

mod bearer;
mod consent;
mod cut_off;
mod spent;
mod stage;
mod unlogged;
