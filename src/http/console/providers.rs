//! `GET /api/providers`: what can be connected, and what is entered for it.

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::Sector;
use sextant_connectors::provider::{
    ConsentedProvider, FieldKind, FormField, LinkedProvider, PastedProvider, Provider, ReturnWay,
    ScopeUse,
};

use super::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::schema;
use crate::http::sector_name::SectorName;
use crate::providers::PUSH;
use crate::sign_ins::sectors_of;

pub(super) const ENDPOINTS: &[Endpoint] = &[Endpoint::new(
    Verb::Get,
    "/api/providers",
    "What can be connected, and what is entered for it.",
    || web::to(list),
)
.answers(&[endpoint::json(200, schema::answer::<ProviderList>)])
.refuses(&[Code::Internal, Code::Unavailable])];

async fn list(parts: web::Data<Parts>) -> Result<Json<ProviderList>, Problem> {
    let apps = parts.sign_ins.apps().await?;
    let providers = &parts.sign_ins.providers;
    let consented = providers.all_consented().map(|provider| {
        let is_set = apps.iter().any(|app| app.provider == provider.id());
        ProviderView::of_consented(provider, parts.sign_ins.redirect_uri(provider), is_set)
    });
    let pasted = providers.all_pasted().map(ProviderView::of_pasted);
    let all = [ProviderView::of_pushes()].into_iter().chain(pasted);
    let linked = providers.all_linked().map(|provider| {
        let is_set = apps.iter().any(|app| app.provider == provider.id());
        ProviderView::of_linked(provider, parts.sign_ins.return_addresses(provider), is_set)
    });
    Ok(Json(ProviderList {
        providers: all.chain(consented).chain(linked).collect(),
    }))
}

#[derive(Serialize, JsonSchema)]
struct ProviderList {
    providers: Vec<ProviderView>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProviderView {
    id: &'static str,
    name: &'static str,
    method: ConnectMethod,
    sectors: Vec<SectorName>,
    /// What is asked for at the provider, where a person consents there.
    scopes: Vec<&'static str>,
    /// The same in words for people.
    asks: Vec<AskView>,
    fields: Vec<FieldView>,
    /// Where a provider sends a person back to, where they consent there.
    redirect_uri: Option<String>,
    /// Where an aggregator does that takes https alone: nothing answers there, and the person pastes the address.
    pasted_redirect_uri: Option<String>,
    /// How the browser comes back from there.
    return_way: Option<ReturnWayName>,
    /// Whether the operator has entered what the provider knows this service by; true where it needs nothing.
    app_configured: bool,
    /// Where that is registered at the provider.
    app_help: Option<&'static str>,
    /// How a person adds what they did not grant.
    add_hint: Option<&'static str>,
    /// Where the person ends the credential.
    revocation: Option<&'static str>,
    /// The least minutes between two rounds; null for what devices push.
    #[schemars(range(min = 0))]
    interval_minutes_min: Option<i32>,
}

/// How a connection comes about.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ConnectMethod {
    Push,
    Paste,
    Oauth,
    /// Banks are linked one by one, by an application of the operator's.
    Link,
}

/// How a browser comes back from a provider.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReturnWayName {
    /// To the Console.
    Callback,
    /// To an address where nothing answers: the person pastes it.
    Paste,
}

/// One thing that is asked for.
#[derive(Serialize, JsonSchema)]
struct AskView {
    title: &'static str,
    /// The sector that it opens; null for what opens none.
    sector: Option<SectorName>,
}

/// One field of the form.
#[derive(Serialize, JsonSchema)]
struct FieldView {
    name: &'static str,
    label: &'static str,
    kind: FieldKindName,
    optional: bool,
    help: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FieldKindName {
    Text,
    Secret,
    Address,
    Certificate,
}

impl ProviderView {
    fn of_pushes() -> Self {
        Self {
            method: ConnectMethod::Push,
            sectors: Sector::ALL.into_iter().map(SectorName::from).collect(),
            ..Self::named(PUSH, "Push")
        }
    }

    fn of_pasted(provider: &dyn PastedProvider) -> Self {
        Self {
            fields: provider.fields().iter().map(FieldView::of).collect(),
            ..Self::of_source(provider)
        }
    }

    fn of_consented(provider: &dyn ConsentedProvider, redirect_uri: String, is_set: bool) -> Self {
        let terms = provider.terms();
        Self {
            method: ConnectMethod::Oauth,
            scopes: terms.asked(),
            asks: terms.scopes.iter().map(AskView::of).collect(),
            redirect_uri: Some(redirect_uri),
            return_way: Some(match terms.return_way {
                ReturnWay::Callback => ReturnWayName::Callback,
                ReturnWay::PastedAddress => ReturnWayName::Paste,
            }),
            app_configured: is_set,
            app_help: Some(terms.app_help),
            add_hint: Some(terms.add_hint),
            ..Self::of_source(provider)
        }
    }

    fn of_linked(provider: &dyn LinkedProvider, redirect_uris: [String; 2], is_set: bool) -> Self {
        let [own, pasted] = redirect_uris;
        Self {
            method: ConnectMethod::Link,
            redirect_uri: Some(own),
            pasted_redirect_uri: Some(pasted),
            app_configured: is_set,
            app_help: Some(provider.application_help()),
            ..Self::of_source(provider)
        }
    }

    fn of_source<P: Provider + ?Sized>(provider: &P) -> Self {
        let sectors = sectors_of(provider).into_iter();
        Self {
            sectors: sectors.map(SectorName::from).collect(),
            revocation: Some(provider.revocation()),
            interval_minutes_min: Some(interval_minutes_min(provider)),
            ..Self::named(provider.id(), provider.title())
        }
    }

    const fn named(id: &'static str, name: &'static str) -> Self {
        Self {
            id,
            name,
            method: ConnectMethod::Paste,
            sectors: Vec::new(),
            scopes: Vec::new(),
            asks: Vec::new(),
            fields: Vec::new(),
            redirect_uri: None,
            pasted_redirect_uri: None,
            return_way: None,
            app_configured: true,
            app_help: None,
            add_hint: None,
            revocation: None,
            interval_minutes_min: None,
        }
    }
}

/// The least whole minutes between two rounds of a provider.
pub(super) fn interval_minutes_min<P: Provider + ?Sized>(provider: &P) -> i32 {
    let minutes = provider.interval_min().as_secs().div_ceil(60);
    i32::try_from(minutes).unwrap_or(i32::MAX)
}

impl AskView {
    fn of(scope: &ScopeUse) -> Self {
        let sector: Option<Sector> = scope.sector.and_then(|word| word.parse().ok());
        Self {
            title: scope.title,
            sector: sector.map(SectorName::from),
        }
    }
}

impl FieldView {
    const fn of(field: &FormField) -> Self {
        Self {
            name: field.name,
            label: field.label,
            kind: match field.kind {
                FieldKind::Text => FieldKindName::Text,
                FieldKind::Secret => FieldKindName::Secret,
                FieldKind::Address => FieldKindName::Address,
                FieldKind::Certificate => FieldKindName::Certificate,
            },
            optional: field.is_optional,
            help: field.help,
        }
    }
}
