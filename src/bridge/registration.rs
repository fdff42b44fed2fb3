//! What a client tells of itself when it registers (RFC 7591 §2), and in its document. What is not named here is passed over.

use std::fmt;

use serde::Deserialize;

use super::client::{ClientName, RedirectAddress};
use super::limits::REDIRECTS_MAX;

/// What is kept of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientMetadata {
    pub name: Option<ClientName>,
    pub redirects: Vec<RedirectAddress>,
}

/// Why it is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetadataFault {
    /// It is no JSON object with the fields of a client.
    Malformed,
    /// There is no redirect address, or there are too many.
    RedirectCount,
    /// One of them is neither https nor of the browser's own computer.
    RedirectRefused,
    /// It does not want codes.
    NoCodes,
    /// The document is of another client.
    OtherClient,
}

impl MetadataFault {
    /// The error of RFC 7591 §3.2.2.
    pub(crate) const fn error(self) -> &'static str {
        match self {
            Self::RedirectCount | Self::RedirectRefused => "invalid_redirect_uri",
            Self::Malformed | Self::NoCodes | Self::OtherClient => "invalid_client_metadata",
        }
    }
}

impl fmt::Display for MetadataFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => formatter.write_str("send a JSON object with redirect_uris"),
            Self::RedirectCount => {
                write!(formatter, "send 1 to {REDIRECTS_MAX} redirect_uris")
            }
            Self::RedirectRefused => formatter.write_str(
                "a redirect URI begins with https://, or with http:// and localhost, 127.0.0.1 or [::1], and has no fragment",
            ),
            Self::NoCodes => formatter.write_str(
                "only the grant authorization_code with the response type code is served",
            ),
            Self::OtherClient => formatter.write_str("the document's client_id is not its address"),
        }
    }
}

impl std::error::Error for MetadataFault {}

#[derive(Deserialize)]
struct ToldMetadata {
    client_id: Option<String>,
    client_name: Option<String>,
    redirect_uris: Option<Vec<String>>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
}

impl ClientMetadata {
    /// Reads the body of a registration.
    ///
    /// # Errors
    /// [`MetadataFault`].
    pub(crate) fn parse(body: &[u8]) -> Result<Self, MetadataFault> {
        Self::of(read(body)?)
    }

    /// Reads the document of the client whose id is its address.
    ///
    /// # Errors
    /// [`MetadataFault`].
    pub(crate) fn parse_document(body: &[u8], address: &str) -> Result<Self, MetadataFault> {
        let told = read(body)?;
        match told.client_id.as_deref() == Some(address) {
            true => Self::of(told),
            false => Err(MetadataFault::OtherClient),
        }
    }

    fn of(told: ToldMetadata) -> Result<Self, MetadataFault> {
        let lacks = |given: Option<Vec<String>>, wanted: &str| {
            given.is_some_and(|given| !given.iter().any(|word| word == wanted))
        };
        if lacks(told.grant_types, "authorization_code") || lacks(told.response_types, "code") {
            return Err(MetadataFault::NoCodes);
        }
        let redirects = told.redirect_uris.unwrap_or_default();
        if !(1..=REDIRECTS_MAX).contains(&redirects.len()) {
            return Err(MetadataFault::RedirectCount);
        }
        let parsed = redirects.iter().map(|text| RedirectAddress::parse(text));
        let redirects: Option<Vec<RedirectAddress>> = parsed.collect();
        Ok(Self {
            name: told.client_name.as_deref().and_then(ClientName::clean),
            redirects: redirects.ok_or(MetadataFault::RedirectRefused)?,
        })
    }
}

fn read(body: &[u8]) -> Result<ToldMetadata, MetadataFault> {
    serde_json::from_slice(body).map_err(|_| MetadataFault::Malformed)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parse(body: &Value) -> Result<ClientMetadata, MetadataFault> {
        ClientMetadata::parse(body.to_string().as_bytes())
    }

    #[test]
    fn a_registration_is_its_name_and_its_redirect_addresses() {
        let told = json!({
            "client_name": "Claude", "redirect_uris": ["https://claude.ai/cb"],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_post", "application_type": "web", "scope": "x",
        });
        let parsed = parse(&told).unwrap();
        assert_eq!(parsed.name.unwrap().as_str(), "Claude");
        assert_eq!(parsed.redirects[0].as_str(), "https://claude.ai/cb");
        let bare = parse(&json!({ "redirect_uris": ["http://localhost:1/cb"] })).unwrap();
        assert_eq!(bare.name, None);
    }

    #[test]
    fn what_cannot_be_served_is_refused_by_name() {
        use MetadataFault::*;
        let many = vec!["https://client.example/cb"; REDIRECTS_MAX + 1];
        for (told, fault) in [
            (json!([]), Malformed),
            (
                json!({ "redirect_uris": "https://client.example" }),
                Malformed,
            ),
            (json!({}), RedirectCount),
            (json!({ "redirect_uris": [] }), RedirectCount),
            (json!({ "redirect_uris": many }), RedirectCount),
            (
                json!({ "redirect_uris": ["https://ok.example", "http://evil.example"] }),
                RedirectRefused,
            ),
            (
                json!({ "redirect_uris": ["https://ok.example"], "grant_types": ["client_credentials"] }),
                NoCodes,
            ),
            (
                json!({ "redirect_uris": ["https://ok.example"], "response_types": ["token"] }),
                NoCodes,
            ),
        ] {
            assert_eq!(parse(&told), Err(fault), "{told}");
        }
        assert_eq!(ClientMetadata::parse(b"{"), Err(Malformed));
    }

    #[test]
    fn a_document_is_of_the_client_at_its_address() {
        let address = "https://client.example/me.json";
        let document =
            |id: &str| json!({ "client_id": id, "redirect_uris": ["https://client.example/cb"] });
        let read = |document: Value| {
            ClientMetadata::parse_document(document.to_string().as_bytes(), address)
        };
        assert!(read(document(address)).is_ok());
        let other = read(document("https://client.example/other.json"));
        assert_eq!(other, Err(MetadataFault::OtherClient));
        let unnamed = read(json!({ "redirect_uris": ["https://client.example/cb"] }));
        assert_eq!(unnamed, Err(MetadataFault::OtherClient));
    }
}
