//! OAuth 2.0 as a client: a person consents once at a provider, and access tokens are had from then on (RFC 6749, RFC 7636, RFC 7009).
//!
//! ```text
//! authorization.rs   the address to which a browser is sent     callback.rs     what it brings back
//! pkce.rs            that both ends are of one browser          scopes.rs       what was asked for, and what was granted
//! endpoint.rs        codes and refresh tokens to tokens         answer.rs       what was issued
//! kept.rs            what a sign-in keeps of them              renewal.rs      when new ones are asked for (pure)
//! refusal.rs         what the provider says instead             app.rs          whom the operator has registered there
//! token_failure.rs   whether what was sent may be spent
//! ```
//!
//! # Why it is written by hand
//! Every request leaves through the one guard ([`crate::guard`]), and what decides over a sign-in is what a library hides: whether a
//! request that had no answer may have arrived (a token that serves once is then spent), and which words of which provider mean that
//! only the person can go on. What is left for a library is four form fields.

mod answer;
mod app;
mod authorization;
mod callback;
mod endpoint;
mod kept;
mod pkce;
mod refusal;
mod renewal;
mod scopes;
mod token_failure;

pub use answer::IssuedTokens;
pub use app::{ClientApp, OAuthAddresses};
pub use authorization::AuthorizationRequest;
pub use callback::{Callback, CallbackOutcome};
pub use endpoint::TokenEndpoint;
pub use kept::{KeptTokens, RenewalTrouble, TroubleKind};
pub use pkce::PkceVerifier;
pub use renewal::{RefreshUse, RenewalStep};
pub use scopes::Scopes;
pub use token_failure::TokenFailure;
