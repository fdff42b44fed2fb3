use std::fmt;

use reqwest::Url;

use super::app::OAuthAddresses;

/// What a browser is sent to the provider with (RFC 6749 §4.1.1).
#[derive(Clone, Copy)]
pub struct AuthorizationRequest<'a> {
    /// The provider's addresses.
    pub addresses: &'a OAuthAddresses,
    /// The operator's client id.
    pub client_id: &'a str,
    /// Where the browser returns to, exactly as it is registered.
    pub redirect_uri: &'a str,
    /// What is asked for.
    pub scopes: &'a [&'a str],
    /// What comes back unchanged.
    pub state: &'a str,
    /// The challenge of the one who begins, where the provider takes one.
    pub challenge: Option<&'a str>,
    /// What the provider wants besides.
    pub besides: &'a [(&'a str, &'a str)],
}

impl AuthorizationRequest<'_> {
    /// The address.
    pub fn to_url(&self) -> Url {
        let mut url = self.addresses.authorize.clone();
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", self.client_id)
            .append_pair("redirect_uri", self.redirect_uri)
            .append_pair("scope", &self.scopes.join(" "))
            .append_pair("state", self.state);
        if let Some(challenge) = self.challenge {
            query
                .append_pair("code_challenge", challenge)
                .append_pair("code_challenge_method", "S256");
        }
        query.extend_pairs(self.besides);
        drop(query);
        url
    }
}

/// Without the state: whoever knows it can end the sign-in of another browser.
impl fmt::Debug for AuthorizationRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthorizationRequest")
            .field("addresses", self.addresses)
            .field("client_id", &self.client_id)
            .field("redirect_uri", &self.redirect_uri)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_carries_everything_encoded() {
        let address = |text| Url::parse(text).unwrap();
        let addresses = OAuthAddresses {
            authorize: address("https://provider.test/auth?tenant=a"),
            token: address("https://provider.test/token"),
            revoke: None,
        };
        let request = AuthorizationRequest {
            addresses: &addresses,
            client_id: "a client",
            redirect_uri: "http://localhost:8787/oauth/google/callback",
            scopes: &["one", "two"],
            state: "s&t",
            challenge: Some("c"),
            besides: &[("access_type", "offline")],
        };
        assert_eq!(
            request.to_url().as_str(),
            "https://provider.test/auth?tenant=a&response_type=code&client_id=a+client\
             &redirect_uri=http%3A%2F%2Flocalhost%3A8787%2Foauth%2Fgoogle%2Fcallback&scope=one+two&state=s%26t\
             &code_challenge=c&code_challenge_method=S256&access_type=offline"
        );
    }
}
