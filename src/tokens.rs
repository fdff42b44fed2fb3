//! Access tokens of sign-ins at which a person has consented: where the actors of sign-ins have them renewed, and how whoever asks a
//! source is given them.
//!
//! ```text
//! renewal.rs   the port of the actors: the kept token, or a new one, committed before it is used
//! patience.rs  a commit that must not be given up        giving.rs   the tokens of one sign-in, for requests to its source
//! refusal.rs   the words of both sides, one in the other's (pure)
//! ```
//!
//! What is done about a token is decided in `connectors/src/oauth/renewal.rs`, and when, in `actors/src/sign_ins`.

mod giving;
mod patience;
mod refusal;
mod renewal;

pub(crate) use giving::TokensOf;
pub(crate) use renewal::TokenRenewal;
