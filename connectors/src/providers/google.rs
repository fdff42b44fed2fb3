//! Google: calendars and contacts by one consent (r120).

use std::sync::Arc;

use async_trait::async_trait;

use super::WayOut;
use super::consent_way::ConsentWay;
use super::sealed::no_way_to;
use crate::bearer::AccessTokens;
use crate::failure::{FailureKind, SourceFailure};
use crate::google::{GoogleCalendarFeed, GooglePeopleFeed};
use crate::oauth::{IssuedTokens, OAuthAddresses, RefreshUse, Scopes, TokenEndpoint};
use crate::provider::{
    ConsentTerms, ConsentedAccount, ConsentedProvider, Provider, ReturnWay, ScopeUse, Source,
};
use crate::secret::SourceSecret;

/// Its word in settings and rows.
pub(super) const ID: &str = "google";

const TERMS: ConsentTerms = ConsentTerms {
    scopes: &[
        ScopeUse {
            scope: "https://www.googleapis.com/auth/calendar.readonly",
            title: "See your calendars",
            sector: Some("calendar"),
        },
        ScopeUse {
            scope: "https://www.googleapis.com/auth/contacts.readonly",
            title: "See your contacts",
            sector: Some("contacts"),
        },
        ScopeUse {
            scope: "openid",
            title: "Know who signed in",
            sector: None,
        },
        ScopeUse {
            scope: "email",
            title: "Know the account's address",
            sector: None,
        },
    ],
    // Without them no refresh token comes with a second consent, and a narrower one forgets the first.
    besides: &[
        ("access_type", "offline"),
        ("prompt", "consent"),
        ("include_granted_scopes", "true"),
    ],
    return_way: ReturnWay::Callback,
    takes_challenge: true,
    refresh: RefreshUse::Repeated,
    names_account: true,
    refresh_scope: None,
    ended_hint: "Google ends sign-ins after seven days while your app's publishing status is Testing: set it to In production in the Google Cloud console, Audience.",
    app_help: "In the Google Cloud console, under Google Auth Platform, Clients: make a client of the type Web application with this redirect address; enable the Google Calendar API and the People API.",
    add_hint: "Sign in again and leave every box ticked on Google's page.",
};

pub(super) struct Google(ConsentWay);

impl Google {
    pub(super) fn new(way_out: WayOut) -> Result<Self, SourceFailure> {
        let legs = [
            "https://accounts.google.com/o/oauth2/v2/auth",
            "https://oauth2.googleapis.com/token",
        ];
        let revoke = "https://oauth2.googleapis.com/revoke";
        ConsentWay::new(
            way_out,
            legs,
            Some(revoke),
            &["www.googleapis.com", "people.googleapis.com"],
        )
        .map(Self)
    }
}

impl Provider for Google {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Google"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["calendar", "contacts"]
    }

    fn revocation(&self) -> &'static str {
        "Remove the app at myaccount.google.com, Security, Your connections to third-party apps and services."
    }
}

#[async_trait]
impl ConsentedProvider for Google {
    fn terms(&self) -> &'static ConsentTerms {
        &TERMS
    }

    fn addresses(&self) -> &OAuthAddresses {
        self.0.addresses()
    }

    fn token_endpoint(&self) -> Result<TokenEndpoint, SourceFailure> {
        self.0.token_endpoint()
    }

    async fn account(
        &self,
        issued: &IssuedTokens,
        _tokens: Arc<dyn AccessTokens>,
    ) -> Result<ConsentedAccount, SourceFailure> {
        let email = issued.claim("email").map(str::to_lowercase);
        let email = email.ok_or_else(|| {
            let message = "Google did not say whose account it is";
            SourceFailure::new(FailureKind::Malformed, message)
        })?;
        Ok(ConsentedAccount {
            identity: email.clone(),
            name: email,
        })
    }

    fn source(
        &self,
        sector: &str,
        _granted: &Scopes,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<Source, SourceFailure> {
        let client = self.0.client(tokens)?;
        match sector {
            "calendar" => Ok(Source::Rounds(Box::new(GoogleCalendarFeed::new(client)))),
            "contacts" => Ok(Source::Rounds(Box::new(GooglePeopleFeed::new(client)))),
            _ => Err(no_way_to(sector)),
        }
    }

    async fn revoke(
        &self,
        refresh_token: &SourceSecret,
        _tokens: Arc<dyn AccessTokens>,
    ) -> Result<bool, SourceFailure> {
        self.token_endpoint()?.revoke(refresh_token).await
    }
}
