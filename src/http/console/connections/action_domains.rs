use std::collections::BTreeSet;

use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sextant_connectors::home_assistant::ActionDomains;
use uuid::Uuid;

use super::by_id::{STORED, id_in_path, not_found};
use super::publish::publish;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::Problem;
use crate::http::request::{FromBody, OrNull};
use crate::http::schema;
use crate::store::connections::{self, HomeDomains};

pub(super) const SHOW: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/connections/{id}/action-domains",
    "Show which domains of a home its agents may act on.",
    || web::to(show),
)
.answers(&[endpoint::json(200, schema::answer::<DomainList>)])
.refuses(STORED);

pub(super) const SET: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/connections/{id}/action-domains",
    "Set which domains of a home its agents may not act on.",
    || web::to(set),
)
.takes_body(RequestBody::Required(schema::request::<DomainEdit>))
.answers(&[endpoint::json(200, schema::answer::<DomainList>)])
.refuses(STORED);

/// As many domains as may be left out; a home has some forty.
const DOMAINS_MAX: usize = 200;
/// The longest word for one.
const DOMAIN_CHARACTERS_MAX: usize = 64;

/// The domains that are left out; null for those that are out unless somebody says otherwise.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DomainEdit {
    left_out: OrNull<LeftOut>,
}

/// Words such as `lock`, or `cover.garage` for covers of one class.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
struct LeftOut(#[schemars(length(max = DOMAINS_MAX))] Vec<String>);

impl TryFrom<Option<Value>> for LeftOut {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let words = sent.and_then(|sent| serde_json::from_value::<BTreeSet<String>>(sent).ok());
        let words = words.filter(|words| words.len() <= DOMAINS_MAX && words.iter().all(is_domain));
        words
            .map(|words| Self(words.into_iter().collect()))
            .ok_or_else(|| {
                format!(
                    "send a list of at most {DOMAINS_MAX} domains, such as lock or cover.garage"
                )
            })
    }
}

#[expect(clippy::ptr_arg, reason = "it judges the elements of a set of texts")]
fn is_domain(word: &String) -> bool {
    let is_right =
        |character: char| character.is_ascii_lowercase() || matches!(character, '_' | '.');
    (1..=DOMAIN_CHARACTERS_MAX).contains(&word.len()) && word.chars().all(is_right)
}

async fn show(parts: web::Data<Parts>, id: web::Path<String>) -> Result<Json<DomainList>, Problem> {
    let id = id_in_path(&id)?;
    read(&parts, id).await
}

async fn set(
    parts: web::Data<Parts>,
    id: web::Path<String>,
    FromBody(edit): FromBody<DomainEdit>,
) -> Result<Json<DomainList>, Problem> {
    let id = id_in_path(&id)?;
    read(&parts, id).await?;
    let left_out = edit.left_out.value().map(|LeftOut(words)| words);
    to_the_end(async move {
        connections::leave_out_domains(&parts.pool, id, left_out.as_deref()).await?;
        publish(&parts, id).await;
        // What is listened to was opened with the old list. One that is not listened to now is opened with the new one.
        let _ = parts.connections.restart(id).await;
        read(&parts, id).await
    })
    .await
}

/// # Errors
/// When there is no such connection, or it is no home that can be acted on.
async fn read(parts: &Parts, id: Uuid) -> Result<Json<DomainList>, Problem> {
    let connection = connections::read(&parts.pool, id).await?;
    let connection = connection.ok_or_else(not_found)?;
    let provider = parts.sign_ins.providers.get(&connection.provider);
    if !provider.is_some_and(|provider| provider.is_stream()) {
        let message = "this connection is no home system: nothing can be done there";
        return Err(Problem::invalid("id", message));
    }
    let domains = connections::action_domains(&parts.pool, id).await?;
    Ok(Json(DomainList::of(domains.ok_or_else(not_found)?)))
}

/// The domains of a home.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DomainList {
    domains: Vec<DomainView>,
    /// Nobody has chosen: what is out by default is out.
    is_default: bool,
}

/// One domain.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DomainView {
    domain: String,
    /// How many entities it has here.
    entities: u64,
    /// Whether it stands in the catalogue of actions.
    is_offered: bool,
    /// Whether it does unless somebody says otherwise.
    is_offered_by_default: bool,
}

impl DomainList {
    /// What the home has, and what is left out, whether or not it has it.
    fn of(home: HomeDomains) -> Self {
        let by_default = ActionDomains::default();
        let is_default = home.left_out.is_none();
        let left_out = home
            .left_out
            .map_or_else(|| by_default.clone(), ActionDomains::without);
        let words: BTreeSet<&str> = home
            .entities
            .keys()
            .map(String::as_str)
            .chain(left_out.left_out())
            .chain(by_default.left_out())
            .collect();
        let view = |word: &str| DomainView {
            domain: word.to_owned(),
            entities: home.entities.get(word).copied().unwrap_or_default(),
            is_offered: left_out.has(word),
            is_offered_by_default: by_default.has(word),
        };
        Self {
            domains: words.into_iter().map(view).collect(),
            is_default,
        }
    }
}
