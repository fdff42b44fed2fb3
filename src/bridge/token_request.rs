//! What is presented at the token endpoint (RFC 6749 §4.1.3, §6).

use super::parameters::{OAuthParameters, RepeatedParameter};

/// What a client wants tokens for.
pub(crate) enum TokenRequest {
    Code(CodeRequest),
    Refresh(RefreshRequest),
}

pub(crate) struct CodeRequest {
    pub client_id: String,
    pub code: String,
    pub redirect: String,
    pub verifier: String,
    resource: Option<String>,
}

pub(crate) struct RefreshRequest {
    pub client_id: String,
    pub refresh_token: String,
    resource: Option<String>,
}

/// Why no token is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenFault {
    /// A parameter is missing or stands twice; its name, or none for a body that is no form.
    Malformed(Option<&'static str>),
    UnsupportedGrant,
    UnknownClient,
    /// The code is unknown, used or too old, or was given for something else.
    CodeRefused,
    RefreshRefused,
    /// The resource is not this service.
    InvalidTarget,
}

impl TokenFault {
    /// The error of RFC 6749 §5.2 or RFC 8707 §2.
    pub(crate) const fn error(self) -> &'static str {
        match self {
            Self::Malformed(_) => "invalid_request",
            Self::UnsupportedGrant => "unsupported_grant_type",
            Self::UnknownClient => "invalid_client",
            Self::CodeRefused | Self::RefreshRefused => "invalid_grant",
            Self::InvalidTarget => "invalid_target",
        }
    }

    /// What the client is told beside it.
    pub(crate) fn about(self) -> String {
        match self {
            Self::Malformed(Some(name)) => format!("{name} is missing"),
            Self::Malformed(None) => "send a form in which each parameter stands once".to_owned(),
            Self::UnsupportedGrant => "authorization_code and refresh_token are served".to_owned(),
            Self::UnknownClient => "no such client: register again".to_owned(),
            Self::CodeRefused => {
                "the code serves no more, or not for this client, address and verifier".to_owned()
            }
            Self::RefreshRefused => "the refresh token serves no more: sign in again".to_owned(),
            Self::InvalidTarget => "the resource is not this service".to_owned(),
        }
    }

    /// The audit log's words (r035).
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Malformed(_) => "token: malformed request",
            Self::UnsupportedGrant => "token: unsupported grant",
            Self::UnknownClient => "token: unknown client",
            Self::CodeRefused => "token: code refused",
            Self::RefreshRefused => "token: refresh token refused",
            Self::InvalidTarget => "token: mismatching address",
        }
    }
}

impl From<RepeatedParameter> for TokenFault {
    fn from(_: RepeatedParameter) -> Self {
        Self::Malformed(None)
    }
}

impl TokenRequest {
    /// Reads the form.
    ///
    /// # Errors
    /// [`TokenFault::Malformed`] or [`TokenFault::UnsupportedGrant`].
    pub(crate) fn parse(body: &[u8]) -> Result<Self, TokenFault> {
        let mut given = OAuthParameters::parse(body)?;
        let grant = given.take("grant_type");
        let resource = given.take("resource");
        let mut take = |name| given.take(name).ok_or(TokenFault::Malformed(Some(name)));
        match grant.as_deref() {
            Some("authorization_code") => Ok(Self::Code(CodeRequest {
                client_id: take("client_id")?,
                code: take("code")?,
                redirect: take("redirect_uri")?,
                verifier: take("code_verifier")?,
                resource,
            })),
            Some("refresh_token") => Ok(Self::Refresh(RefreshRequest {
                client_id: take("client_id")?,
                refresh_token: take("refresh_token")?,
                resource,
            })),
            Some(_) => Err(TokenFault::UnsupportedGrant),
            None => Err(TokenFault::Malformed(Some("grant_type"))),
        }
    }

    pub(super) fn client_id(&self) -> &str {
        match self {
            Self::Code(request) => &request.client_id,
            Self::Refresh(request) => &request.client_id,
        }
    }

    pub(super) fn resource(&self) -> Option<&str> {
        match self {
            Self::Code(request) => request.resource.as_deref(),
            Self::Refresh(request) => request.resource.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(body: &str) -> TokenFault {
        TokenRequest::parse(body.as_bytes()).err().unwrap()
    }

    #[test]
    fn each_grant_needs_what_it_is_bound_to() {
        let code =
            "grant_type=authorization_code&client_id=c&code=x&redirect_uri=r&code_verifier=v";
        assert!(TokenRequest::parse(code.as_bytes()).is_ok());
        for name in ["client_id", "code", "redirect_uri", "code_verifier"] {
            let without: Vec<&str> = code
                .split('&')
                .filter(|own| own.split('=').next() != Some(name))
                .collect();
            assert_eq!(fault(&without.join("&")), TokenFault::Malformed(Some(name)));
        }
        let refresh = "grant_type=refresh_token&client_id=c&refresh_token=x";
        assert!(TokenRequest::parse(refresh.as_bytes()).is_ok());
        assert_eq!(
            fault("grant_type=refresh_token&client_id=c"),
            TokenFault::Malformed(Some("refresh_token"))
        );
        assert_eq!(fault(""), TokenFault::Malformed(Some("grant_type")));
        assert_eq!(fault("grant_type=password"), TokenFault::UnsupportedGrant);
        assert_eq!(
            fault(&format!("{code}&code=y")),
            TokenFault::Malformed(None)
        );
    }
}
