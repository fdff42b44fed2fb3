use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pair_view::PairView;
use crate::http::console::Parts;
use crate::http::console::row_limit::RowLimit;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::store::duplicates;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/finance/duplicates",
    "List the accounts that are, or may be, one; the newest first.",
    || web::to(list),
)
.takes_query(request::parameters::<DuplicatesQuery>)
.answers(&[endpoint::json(200, schema::answer::<Duplicates>)])
.refuses(&[Code::Internal, Code::Unavailable]);

/// The most pairs of one answer, and how many come unless fewer are asked for.
const ROWS_MAX: usize = 200;

/// Which are listed.
#[derive(Debug, Deserialize, JsonSchema)]
struct DuplicatesQuery {
    /// The open ones or the answered ones; both, unless this is sent.
    state: Option<WantedState>,
    /// How many at the most; 200, unless this is sent.
    limit: Option<RowLimit<ROWS_MAX>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(!try_from, rename_all = "lowercase")]
enum WantedState {
    Open,
    Answered,
}

impl TryFrom<String> for WantedState {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, &'static str> {
        match word.as_str() {
            "open" => Ok(Self::Open),
            "answered" => Ok(Self::Answered),
            _ => Err("send open or answered"),
        }
    }
}

async fn list(
    parts: web::Data<Parts>,
    FromQuery(sent): FromQuery<DuplicatesQuery>,
) -> Result<Json<Duplicates>, Problem> {
    let is_open = sent.state.map(|state| matches!(state, WantedState::Open));
    let rows_max = sent.limit.map_or(ROWS_MAX, RowLimit::rows);
    let pairs = duplicates::list(&parts.pool, is_open, rows_max).await?;
    Ok(Json(Duplicates {
        rows: pairs.into_iter().map(PairView::of).collect(),
        open: duplicates::count_open(&parts.pool).await?,
    }))
}

#[derive(Serialize, JsonSchema)]
struct Duplicates {
    rows: Vec<PairView>,
    /// How many wait for an answer, listed or not.
    open: u64,
}
