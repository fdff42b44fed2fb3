//! The one who signs in, and what must not be told of it.

use std::fmt::Debug;

use reqwest::Url;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{AddressRule, Diversions, HttpGuard, Plaintext, Trust};
use sextant_connectors::oauth::{
    AuthorizationRequest, Callback, CallbackOutcome, ClientApp, IssuedTokens, OAuthAddresses,
    PkceVerifier, TokenEndpoint, TokenFailure,
};
use sextant_connectors::secret::SourceSecret;

/// What comes back unchanged; it holds what has a meaning in queries and in pages.
pub const STATE: &str = "seeded state&<\"'+%2F";

/// Of what the verifier is made, and how it begins as a text.
const VERIFIER: ([u8; 32], &str) = ([7; 32], "BwcHBwcHBwcH");

/// The way to one address without TLS, and to no other host or port.
pub fn guard_of(address: &Url) -> Result<HttpGuard, SourceFailure> {
    let rule = AddressRule::of_typed(address, Plaintext::ToPrivateAddresses)?;
    HttpGuard::new(rule, Diversions::default(), &Trust::system()?)
}

/// The one who signs in at one provider.
pub struct Client {
    pub addresses: OAuthAddresses,
    pub app: ClientApp,
    pub redirect_uri: String,
    pub verifier: PkceVerifier,
    endpoint: TokenEndpoint,
}

impl Client {
    pub fn new(addresses: OAuthAddresses, app: (&str, &str), redirect_uri: String) -> Self {
        Self {
            endpoint: TokenEndpoint::new(&addresses, guard_of).unwrap(),
            addresses,
            app: ClientApp {
                id: app.0.to_owned(),
                secret: SourceSecret::new(app.1),
            },
            redirect_uri,
            verifier: PkceVerifier::of_random(VERIFIER.0),
        }
    }

    /// Where a browser is sent.
    pub fn authorize(&self, scopes: &[&str]) -> Url {
        let request = AuthorizationRequest {
            addresses: &self.addresses,
            client_id: &self.app.id,
            redirect_uri: &self.redirect_uri,
            scopes,
            state: STATE,
            challenge: Some(&self.verifier.challenge()),
            besides: &[("access_type", "offline")],
        };
        assert_untold(&request, &[STATE]);
        request.to_url()
    }

    /// The code of the address where a browser ended.
    pub fn code(&self, returned: &Url) -> SourceSecret {
        let at = returned.as_str().split('?').next().unwrap();
        assert_eq!(at, self.redirect_uri);
        let callback = Callback::parse(returned.query().unwrap()).unwrap();
        assert_eq!(callback.state, STATE);
        let CallbackOutcome::Code(code) = &callback.outcome else {
            panic!("{callback:?}");
        };
        assert_untold(&callback, &[STATE, code.reveal()]);
        code.clone()
    }

    pub async fn exchange(
        &self,
        code: &SourceSecret,
        verifier: Option<&PkceVerifier>,
    ) -> Result<IssuedTokens, TokenFailure> {
        let exchanged = self
            .endpoint
            .exchange(&self.app, code, &self.redirect_uri, verifier)
            .await;
        self.checked(exchanged, code)
    }

    pub async fn refresh(
        &self,
        refresh_token: &SourceSecret,
    ) -> Result<IssuedTokens, TokenFailure> {
        self.refresh_asking(refresh_token, None).await
    }

    pub async fn refresh_asking(
        &self,
        refresh_token: &SourceSecret,
        scope: Option<&str>,
    ) -> Result<IssuedTokens, TokenFailure> {
        let endpoint = &self.endpoint;
        let refreshed = endpoint.refresh(&self.app, refresh_token, scope).await;
        self.checked(refreshed, refresh_token)
    }

    pub async fn revoke(&self, token: &SourceSecret) -> Result<bool, SourceFailure> {
        let revoked = self.endpoint.revoke(token).await;
        assert_untold(&revoked, &[token.reveal()]);
        revoked
    }

    /// The same, after a look at whether anything that was sent or issued is told by it.
    fn checked(
        &self,
        issued: Result<IssuedTokens, TokenFailure>,
        sent: &SourceSecret,
    ) -> Result<IssuedTokens, TokenFailure> {
        let mut secrets = vec![sent.reveal(), self.app.secret.reveal(), VERIFIER.1];
        if let Ok(issued) = &issued {
            secrets.push(issued.access_token.reveal());
            secrets.extend(issued.refresh_token.as_ref().map(SourceSecret::reveal));
        }
        assert_untold(&issued, &secrets);
        assert_untold(&(&self.app, &self.verifier), &secrets);
        issued
    }
}

/// That `what` tells none of `secrets`, nor the beginning of one.
pub fn assert_untold(what: &impl Debug, secrets: &[&str]) {
    let told = format!("{what:?} {what:#?}");
    for secret in secrets {
        let begun: String = secret.chars().take(12).collect();
        let is_told =
            told.contains(&begun) || told.contains(begun.escape_debug().to_string().as_str());
        assert!(!is_told, "{told}");
    }
}

/// The refresh token of what was issued.
pub fn refresh_token(issued: &IssuedTokens) -> SourceSecret {
    issued.refresh_token.clone().unwrap()
}
