use actix_web::HttpRequest;
use actix_web::web::{self, Json};
use schemars::JsonSchema;
use serde::Deserialize;

use super::browser::BrowserMark;
use super::ended::make_known;
use super::returning::away_at;
use crate::http::console::sign_ins::SignInView;
use crate::http::console::{Parts, to_the_end};
use crate::http::endpoint::{self, Endpoint, RequestBody, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::FromBody;
use crate::http::schema;
use crate::sign_ins::Returned;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Post,
    "/api/oauth/{provider}/paste",
    "Hand in the address where the browser ended, for a provider that does not send it back here.",
    || web::to(paste),
)
.takes_body(RequestBody::Required(schema::request::<PastedAddress>))
.answers(&[endpoint::json(200, schema::answer::<SignInView>)])
.refuses(&[Code::NotFound, Code::Internal, Code::Unavailable]);

/// The whole address, with `code` and `state` in it.
#[derive(Deserialize, JsonSchema)]
struct PastedAddress {
    address: String,
}

async fn paste(
    request: HttpRequest,
    parts: web::Data<Parts>,
    provider: web::Path<String>,
    FromBody(pasted): FromBody<PastedAddress>,
) -> Result<Json<SignInView>, Problem> {
    away_at(&parts, &provider)?;
    let mark = BrowserMark::of(&request);
    to_the_end(async move {
        let away = away_at(&parts, &provider)?;
        let returned = Returned {
            query: query_of(&pasted.address),
            browser: mark.as_ref().map(BrowserMark::text),
        };
        let ended = parts.sign_ins.come_back(away, returned).await?;
        let ended = ended.ok_or_else(|| {
            let message =
                "paste the whole address at which the browser ended, with code= and state= in it";
            Problem::invalid("address", message)
        })?;
        make_known(&parts, ended).await.map(Json)
    })
    .await
}

/// What stands after the question mark, without a fragment.
fn query_of(address: &str) -> &str {
    let query = address
        .trim()
        .split_once('?')
        .map_or("", |(_, query)| query);
    query.split_once('#').map_or(query, |(query, _)| query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_of_an_address_is_found() {
        for (address, query) in [
            (
                " https://localhost:1/oauth/whoop/callback?code=a&state=b#x ",
                "code=a&state=b",
            ),
            ("https://localhost/", ""),
            ("?a=b", "a=b"),
        ] {
            assert_eq!(query_of(address), query);
        }
    }
}
