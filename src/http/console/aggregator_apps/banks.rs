use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sextant_connectors::provider::{AccountHolder, LinkableBank};

use super::by_provider::linked;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::schema;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/aggregator-apps/{provider}/banks",
    "The banks of a country that can be linked.",
    || web::to(list),
)
.takes_query(request::parameters::<InCountry>)
.answers(&[endpoint::json(200, schema::answer::<BankList>)])
.refuses(&[
    Code::NotFound,
    Code::Conflict,
    Code::Internal,
    Code::ProviderError,
    Code::Unavailable,
]);

/// Two letters of ISO 3166.
#[derive(Deserialize, JsonSchema)]
struct InCountry {
    country: String,
}

async fn list(
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromQuery(asked): FromQuery<InCountry>,
) -> Result<Json<BankList>, Problem> {
    let provider = linked(&parts, &provider)?;
    let country = asked.country.trim().to_uppercase();
    if country.len() != 2 || !country.bytes().all(|letter| letter.is_ascii_uppercase()) {
        let message = "send the two letters of a country, as DE";
        return Err(Problem::invalid("country", message));
    }
    let banks = parts.sign_ins.banks(provider, &country).await?;
    Ok(Json(BankList {
        banks: banks.into_iter().map(BankView::of).collect(),
    }))
}

#[derive(Serialize, JsonSchema)]
struct BankList {
    banks: Vec<BankView>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BankView {
    name: String,
    country: String,
    bic: Option<String>,
    /// The longest consent that it gives, in days.
    #[schemars(range(min = 0))]
    consent_days: i64,
    /// Whether it gives accounts of persons, and of businesses.
    personal: bool,
    business: bool,
    /// Whether the aggregator is not sure of it yet.
    beta: bool,
}

impl BankView {
    fn of(bank: LinkableBank) -> Self {
        Self {
            consent_days: bank.consent_max.num_days(),
            personal: bank.holders.contains(&AccountHolder::Person),
            business: bank.holders.contains(&AccountHolder::Business),
            beta: bank.is_beta,
            bic: bank.bic,
            name: bank.name,
            country: bank.country,
        }
    }
}
