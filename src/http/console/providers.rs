//! `GET /api/providers`: what can be connected, and what is entered for it.

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::domain::Sector;
use sextant_connectors::provider::{FieldKind, FormField, Provider, Revocation};

use super::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
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
.answers(&[endpoint::json(200, schema::answer::<ProviderList>)])];

async fn list(parts: web::Data<Parts>) -> Json<ProviderList> {
    let sources = parts.sign_ins.providers.iter().map(ProviderView::of_source);
    Json(ProviderList {
        providers: [ProviderView::of_pushes()]
            .into_iter()
            .chain(sources)
            .collect(),
    })
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
    fields: Vec<FieldView>,
    /// Where a provider sends a person back to, where they consent there.
    redirect_uri: Option<String>,
    /// Whether the operator has entered what the provider knows this service by; true where it needs nothing.
    app_configured: bool,
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
            id: PUSH,
            name: "Push",
            method: ConnectMethod::Push,
            sectors: Sector::ALL.into_iter().map(SectorName::from).collect(),
            scopes: Vec::new(),
            fields: Vec::new(),
            redirect_uri: None,
            app_configured: true,
            revocation: None,
            interval_minutes_min: None,
        }
    }

    fn of_source(provider: &dyn Provider) -> Self {
        let sectors = sectors_of(provider).into_iter();
        Self {
            id: provider.id(),
            name: provider.title(),
            method: ConnectMethod::Paste,
            sectors: sectors.map(SectorName::from).collect(),
            scopes: Vec::new(),
            fields: provider.fields().iter().map(FieldView::of).collect(),
            redirect_uri: None,
            app_configured: true,
            revocation: Some(revocation(provider)),
            interval_minutes_min: Some(interval_minutes_min(provider)),
        }
    }
}

/// The least whole minutes between two rounds of a provider.
pub(super) fn interval_minutes_min(provider: &dyn Provider) -> i32 {
    let minutes = provider.interval_min().as_secs().div_ceil(60);
    i32::try_from(minutes).unwrap_or(i32::MAX)
}

/// What a person does to end the credential where it was made.
pub(super) fn revocation(provider: &dyn Provider) -> &'static str {
    match provider.revocation() {
        Revocation::ByPerson(sentence) => sentence,
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
