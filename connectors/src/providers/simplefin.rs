//! Banks by a SimpleFIN bridge: one connection for all that are linked there (r123). Which banks those are is chosen at the bridge (r130).

use std::time::Duration;

use async_trait::async_trait;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::WayOut;
use super::sealed::{no_way_to, read, write};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{AddressRule, Domain, Plaintext};
use crate::limits::{SIMPLEFIN_INTERVAL, SIMPLEFIN_INTERVAL_MIN};
use crate::provider::{
    Credential, ExchangeError, FieldKind, Form, FormField, FormRefusal, PastedProvider, Provider,
    Source, SourceOptions,
};
use crate::secret::SourceSecret;
use crate::simplefin::{SetupToken, SimpleFinAccess, SimpleFinFeed, claim};

/// Its word in settings and rows.
pub(super) const ID: &str = "simplefin";

/// The bridge, and what lies below it.
const DOMAIN: &str = "*.simplefin.org";

const TOKEN: &str = "token";
const SERVER: &str = "server";

const FIELDS: &[FormField] = &[
    FormField {
        name: TOKEN,
        label: "Setup token",
        kind: FieldKind::Secret,
        is_optional: false,
        help: "Made at bridge.simplefin.org, My Account, Apps, New app connection. It is used up here at once, also when something goes wrong later.",
    },
    FormField {
        name: SERVER,
        label: "Other server",
        kind: FieldKind::Text,
        is_optional: true,
        help: "Only for a SimpleFIN server other than the bridge: its host, as simplefin.example.org.",
    },
];

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct BridgeAccess {
    access: SimpleFinAccess,
    /// The host that was typed, if it is not the bridge.
    server: Option<String>,
}

pub(super) struct SimpleFin {
    way_out: WayOut,
}

impl SimpleFin {
    pub(super) const fn new(way_out: WayOut) -> Self {
        Self { way_out }
    }
}

/// A token and an access lead to the bridge, or to the one server that was typed, and nowhere else.
fn rule(server: Option<&str>) -> Result<AddressRule, SourceFailure> {
    let Some(server) = server else {
        return Ok(AddressRule::of_domains(Domain::parse(DOMAIN)));
    };
    let typed = Url::parse(&format!("https://{server}/")).map_err(|_| {
        let message = "it must be a host, as simplefin.example.org";
        SourceFailure::new(FailureKind::ForbiddenAddress, message)
    })?;
    AddressRule::of_typed(&typed, Plaintext::Refused)
}

impl Provider for SimpleFin {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Banks by SimpleFIN"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["finance"]
    }

    fn interval(&self) -> Duration {
        SIMPLEFIN_INTERVAL
    }

    fn interval_min(&self) -> Duration {
        SIMPLEFIN_INTERVAL_MIN
    }

    fn revocation(&self) -> &'static str {
        "Disable the app connection at bridge.simplefin.org, My Account, Apps."
    }
}

#[async_trait]
impl PastedProvider for SimpleFin {
    fn fields(&self) -> &'static [FormField] {
        FIELDS
    }

    fn is_claimed_once(&self) -> bool {
        true
    }

    async fn exchange(&self, form: &Form) -> Result<Credential, ExchangeError> {
        let token = SetupToken::parse(TOKEN, form.required(TOKEN)?)?;
        let server = form.get(SERVER);
        let on = |field: &'static str| {
            move |failure: SourceFailure| FormRefusal::new(field, &failure.message)
        };
        let rule = rule(server).map_err(on(SERVER))?;
        rule.judge(token.claim_at()).map_err(on(TOKEN))?;
        let http = self
            .way_out
            .http(rule, None)
            .map_err(ExchangeError::Source)?;
        let access = claim(&http, TOKEN, &token).await?;
        let own = BridgeAccess {
            server: server.map(str::to_owned),
            access,
        };
        Ok(Credential {
            identity: own.access.identity(),
            account: own.access.host().to_owned(),
            sealed: write(&own).map_err(ExchangeError::Source)?,
            ends_at: None,
        })
    }

    fn source(
        &self,
        sector: &str,
        sealed: &SourceSecret,
        options: &SourceOptions,
    ) -> Result<Source, SourceFailure> {
        if sector != "finance" {
            return Err(no_way_to(sector));
        }
        let own: BridgeAccess = read(sealed)?;
        let http = self.way_out.http(rule(own.server.as_deref())?, None)?;
        let feed = SimpleFinFeed::new(http, own.access, options.ledger.clone());
        Ok(Source::Rounds(Box::new(feed)))
    }
}
