//! Microsoft 365 and Outlook.com: mail, calendars and contacts by one consent (r121).

use std::sync::Arc;

use async_trait::async_trait;

use super::WayOut;
use super::consent_way::ConsentWay;
use super::sealed::no_way_to;
use crate::bearer::AccessTokens;
use crate::failure::{FailureKind, SourceFailure};
use crate::microsoft::{self, GraphCalendarFeed, GraphContactsFeed, GraphMailFeed};
use crate::oauth::{IssuedTokens, OAuthAddresses, RefreshUse, Scopes, TokenEndpoint};
use crate::provider::{
    ConsentTerms, ConsentedAccount, ConsentedProvider, Provider, ReturnWay, ScopeUse, Source,
};
use crate::secret::SourceSecret;

/// Its word in settings and rows.
pub(super) const ID: &str = "microsoft";

/// Exactly these four (r121). None of them names the account.
const TERMS: ConsentTerms = ConsentTerms {
    scopes: &[
        ScopeUse {
            scope: "Mail.Read",
            title: "Read your mail",
            sector: Some("mail"),
        },
        ScopeUse {
            scope: "Calendars.Read",
            title: "Read your calendars",
            sector: Some("calendar"),
        },
        ScopeUse {
            scope: "Contacts.Read",
            title: "Read your contacts",
            sector: Some("contacts"),
        },
        ScopeUse {
            scope: "offline_access",
            title: "Keep the sign-in",
            sector: None,
        },
    ],
    besides: &[],
    return_way: ReturnWay::Callback,
    takes_challenge: true,
    refresh: RefreshUse::Once,
    names_account: false,
    refresh_scope: None,
    ended_hint: "",
    app_help: "In the Microsoft Entra admin center, under App registrations: register an app with this redirect address of the type Web, and make a client secret.",
    add_hint: "Sign in again and accept everything that is asked for; in an organization an administrator may have to allow it.",
};

pub(super) struct Microsoft(ConsentWay);

impl Microsoft {
    pub(super) fn new(way_out: WayOut) -> Result<Self, SourceFailure> {
        // Work, school and personal accounts.
        let legs = [
            "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
            "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        ];
        ConsentWay::new(way_out, legs, None, &["graph.microsoft.com"]).map(Self)
    }
}

impl Provider for Microsoft {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Microsoft"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["mail", "calendar", "contacts"]
    }

    fn revocation(&self) -> &'static str {
        "Remove the app at account.live.com/consent/Manage (personal accounts) or myapps.microsoft.com (work or school)."
    }
}

#[async_trait]
impl ConsentedProvider for Microsoft {
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
        _issued: &IssuedTokens,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<ConsentedAccount, SourceFailure> {
        let account = microsoft::account_of(&self.0.client(tokens)?).await?;
        let account = account.ok_or_else(|| {
            let message = "Microsoft did not say whose account it is";
            SourceFailure::new(FailureKind::Malformed, message)
        })?;
        let unnamed = || "Microsoft account".to_owned();
        Ok(ConsentedAccount {
            identity: account.identity,
            name: account.address.unwrap_or_else(unnamed),
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
            "mail" => Ok(Source::Rounds(Box::new(GraphMailFeed::new(client)))),
            "calendar" => Ok(Source::Rounds(Box::new(GraphCalendarFeed::new(client)))),
            "contacts" => Ok(Source::Rounds(Box::new(GraphContactsFeed::new(client)))),
            _ => Err(no_way_to(sector)),
        }
    }

    /// There is no place where such a token could be ended.
    async fn revoke(
        &self,
        _refresh_token: &SourceSecret,
        _tokens: Arc<dyn AccessTokens>,
    ) -> Result<bool, SourceFailure> {
        Ok(false)
    }
}
