//! The HTTP client of the commands: what is asked, and any secret with it, goes to the address that was given and nowhere
//! else. No redirect is followed and no proxy asked.

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

use crate::tls::client_config;

/// A client with the time limits that `limit` sets.
///
/// # Errors
/// In words, when this system trusts no authority, or when `limit` asked for something that cannot be had.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place where a client is made"
)]
pub(super) fn client(limit: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Result<Client, String> {
    let no_client = |why: &dyn std::fmt::Display| format!("no HTTP client can be made: {why}");
    let mut tls = client_config().map_err(|error| no_client(&error))?;
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let builder = Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .tls_backend_preconfigured(tls);
    limit(builder).build().map_err(|error| no_client(&error))
}
