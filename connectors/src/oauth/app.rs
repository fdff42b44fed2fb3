use reqwest::Url;

use crate::secret::SourceSecret;

/// What the operator has registered at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientApp {
    /// The client id: no secret.
    pub id: String,
    /// The client secret.
    pub secret: SourceSecret,
}

/// Where a provider's legs of a sign-in are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OAuthAddresses {
    /// Where the browser is sent.
    pub authorize: Url,
    /// Where codes and refresh tokens become tokens.
    pub token: Url,
    /// Where a token is ended (RFC 7009), if the provider has such a place.
    pub revoke: Option<Url>,
}
