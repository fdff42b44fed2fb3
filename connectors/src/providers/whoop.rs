//! WHOOP: cycles, recoveries, sleeps and workouts by one consent (r122).

use std::sync::Arc;

use async_trait::async_trait;

use super::WayOut;
use super::consent_way::ConsentWay;
use super::sealed::no_way_to;
use crate::bearer::AccessTokens;
use crate::failure::SourceFailure;
use crate::oauth::{IssuedTokens, OAuthAddresses, RefreshUse, Scopes, TokenEndpoint};
use crate::provider::{
    ConsentTerms, ConsentedAccount, ConsentedProvider, Provider, ReturnWay, ScopeUse, Source,
};
use crate::secret::SourceSecret;
use crate::whoop::{self, WhoopCollection, WhoopFeed};

/// Its word in settings and rows.
pub(super) const ID: &str = "whoop";

const fn scope(scope: &'static str, title: &'static str, sector: Option<&'static str>) -> ScopeUse {
    ScopeUse {
        scope,
        title,
        sector,
    }
}

const TERMS: ConsentTerms = ConsentTerms {
    scopes: &[
        scope("read:recovery", "Recoveries", Some("health")),
        scope("read:sleep", "Sleeps", Some("health")),
        scope("read:workout", "Workouts", Some("health")),
        scope("read:cycles", "Cycles", None),
        scope("read:profile", "Know who signed in", None),
        scope("offline", "Keep the sign-in", None),
    ],
    besides: &[],
    // It takes no address over http, not even one of this computer.
    return_way: ReturnWay::PastedAddress,
    takes_challenge: false,
    refresh: RefreshUse::Once,
    names_account: true,
    refresh_scope: Some("offline"),
    ended_hint: "",
    app_help: "In the WHOOP developer dashboard: make an app with this redirect address.",
    add_hint: "Sign in again and leave everything ticked on WHOOP's page.",
};

pub(super) struct Whoop(ConsentWay);

impl Whoop {
    pub(super) fn new(way_out: WayOut) -> Result<Self, SourceFailure> {
        let legs = [
            "https://api.prod.whoop.com/oauth/oauth2/auth",
            "https://api.prod.whoop.com/oauth/oauth2/token",
        ];
        ConsentWay::new(way_out, legs, None, &["api.prod.whoop.com"]).map(Self)
    }
}

impl Provider for Whoop {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "WHOOP"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["health"]
    }

    fn revocation(&self) -> &'static str {
        "Disconnect the app in the WHOOP app: More, App Settings, Data Sharing."
    }
}

#[async_trait]
impl ConsentedProvider for Whoop {
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
        let account = whoop::account_of(&self.0.client(tokens)?).await?;
        let unnamed = || "WHOOP account".to_owned();
        Ok(ConsentedAccount {
            identity: account.id.to_string(),
            name: account.address.unwrap_or_else(unnamed),
        })
    }

    fn source(
        &self,
        sector: &str,
        granted: &Scopes,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<Source, SourceFailure> {
        if sector != "health" {
            return Err(no_way_to(sector));
        }
        let collections = WhoopCollection::ALL.into_iter();
        let granted = collections.filter(|one| granted.has(one.granted_by()));
        let feed = WhoopFeed::new(self.0.client(tokens)?, granted);
        Ok(Source::Rounds(Box::new(feed)))
    }

    async fn revoke(
        &self,
        _refresh_token: &SourceSecret,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<bool, SourceFailure> {
        whoop::revoke(&self.0.client(tokens)?).await.map(|()| true)
    }
}
