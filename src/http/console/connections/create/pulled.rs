//! Connections that are read from their source: a sign-in, and one connection for each sector that answered.

use actix_web::web;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sextant_actors::domain::Sector;
use sextant_connectors::provider::PastedProvider;
use uuid::Uuid;

use super::super::by_id::not_found;
use super::super::connection_view::ConnectionView;
use super::super::publish::publish;
use super::label::Label;
use crate::db::StoreError;
use crate::http::console::sign_ins::EnteredFields;
use crate::http::console::{Parts, to_the_end};
use crate::http::problem::Problem;
use crate::http::request::OrNull;
use crate::http::schema;
use crate::http::sector_name::SectorName;
use crate::providers;
use crate::sign_ins::{EnteredSignIn, MissingSector, SignInError, TriedSignIn, sectors_of};
use crate::store::connections;
use crate::store::sign_ins::SignInStoreError;

/// What is entered for a provider, and the sectors that are wanted of it; all that it has, unless some are named.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct NewSource {
    #[schemars(schema_with = "source_providers")]
    provider: String,
    credentials: EnteredFields,
    sectors: Option<OrNull<TickedSectors>>,
    label: Option<OrNull<Label>>,
}

fn source_providers(_generator: &mut SchemaGenerator) -> Schema {
    Schema::try_from(schema::one_of(providers::PASTED)).unwrap_or_default()
}

/// Sectors, at least one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct TickedSectors(#[schemars(length(min = 1))] Vec<SectorName>);

impl TryFrom<Option<Value>> for TickedSectors {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let expected = || "send sectors as an array of sectors, at least one".to_owned();
        let Some(Value::Array(entries)) = sent else {
            return Err(expected());
        };
        let names = entries
            .into_iter()
            .map(|entry| SectorName::try_from(Some(entry)));
        let names: Vec<_> = names.collect::<Result<_, _>>()?;
        match names.is_empty() {
            true => Err(expected()),
            false => Ok(Self(names)),
        }
    }
}

/// Tries what was entered, and makes the connections of the sectors that answer.
pub(super) async fn create(
    parts: web::Data<Parts>,
    new: NewSource,
) -> Result<CreatedSource, Problem> {
    // What is given once only is not lost with the request.
    to_the_end(async move {
        let tried = attempt(&parts, new).await?;
        establish(&parts, tried).await
    })
    .await
}

async fn attempt(parts: &Parts, new: NewSource) -> Result<TriedSignIn, Problem> {
    let provider = parts.sign_ins.providers.pasted(&new.provider);
    let provider =
        provider.ok_or_else(|| Problem::invalid("provider", "there is no such provider"))?;
    let sectors = new.sectors.and_then(OrNull::value);
    let sectors = sectors.map(|ticked| ticked.of(provider)).transpose()?;
    let label = new.label.and_then(OrNull::value).map(|Label(label)| label);
    let entered = EnteredSignIn {
        provider,
        fields: new.credentials.into_pairs(),
        sectors,
        label,
    };
    Ok(parts.sign_ins.attempt(entered).await?)
}

impl TickedSectors {
    /// Each once, all of them the provider's.
    fn of(self, provider: &dyn PastedProvider) -> Result<Vec<Sector>, Problem> {
        let own = sectors_of(provider);
        let ticked: Vec<Sector> = self
            .0
            .into_iter()
            .map(|SectorName(sector)| sector)
            .collect();
        if ticked.iter().any(|sector| !own.contains(sector)) {
            let names: Vec<_> = own.into_iter().map(Sector::name).collect();
            let message = format!("send sectors that it has: {}", names.join(", "));
            return Err(Problem::invalid("sectors", message));
        }
        Ok(own
            .into_iter()
            .filter(|sector| ticked.contains(sector))
            .collect())
    }
}

async fn establish(parts: &Parts, tried: TriedSignIn) -> Result<CreatedSource, Problem> {
    let done = parts.sign_ins.establish(tried).await;
    if let Err(SignInError::Store(SignInStoreError::Store(StoreError::FateUnknown { .. }))) = &done
    {
        // Whichever it names, all are read again.
        publish(parts, Uuid::nil()).await;
    }
    let done = done?;
    let mut views = Vec::new();
    for connection in &done.sign_in.connections {
        publish(parts, connection.id).await;
    }
    for id in &done.connections {
        let connection = connections::read(&parts.pool, *id).await?;
        let connection = connection.ok_or_else(not_found)?;
        views.push(ConnectionView::of(connection, parts.clock.now()));
    }
    Ok(CreatedSource {
        connections: views,
        sign_in_id: done.sign_in.id,
        missing: done.missing.into_iter().map(MissingView::of).collect(),
    })
}

/// The connections of a sign-in that answered, and the sectors that did not.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedSource {
    connections: Vec<ConnectionView>,
    sign_in_id: Uuid,
    missing: Vec<MissingView>,
}

/// A sector that was wanted and did not answer.
#[derive(Serialize, JsonSchema)]
struct MissingView {
    sector: SectorName,
    /// What its source said.
    message: String,
}

impl MissingView {
    fn of(missing: MissingSector) -> Self {
        Self {
            sector: missing.sector.into(),
            message: missing.message,
        }
    }
}
