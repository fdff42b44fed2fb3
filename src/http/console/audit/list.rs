use actix_web::web::{self, Json};

use super::filter::RowFilter;
use super::page::AuditPage;
use super::page_request::PageRequest;
use crate::http::console::Parts;
use crate::http::endpoint::{self, Endpoint, Verb};
use crate::http::problem::{Code, Problem};
use crate::http::request::{self, FromQuery};
use crate::http::schema;
use crate::store::audit_read;

pub(super) const ENDPOINT: Endpoint = Endpoint::new(
    Verb::Get,
    "/api/audit",
    "The record, newest first: who called what, and what became of it.",
    || web::to(list),
)
.takes_query(request::parameters::<Asked>)
.answers(&[endpoint::json(200, schema::answer::<AuditPage>)])
.refuses(&[Code::Internal, Code::Unavailable]);

type Asked = (RowFilter, PageRequest);

async fn list(
    parts: web::Data<Parts>,
    FromQuery((filter, page)): FromQuery<Asked>,
) -> Result<Json<AuditPage>, Problem> {
    let (start, rows_max) = (page.start()?, page.rows_max());
    let found = audit_read::scan(
        &parts.pool,
        &filter.parse()?,
        start.direction(),
        start.position(),
        // One more than is shown tells whether there is a further page.
        rows_max + 1,
        parts.reads.page,
    )
    .await?;
    Ok(Json(AuditPage::of(start, rows_max, found)))
}

#[cfg(test)]
mod tests {
    use super::super::page_request::PageStart;
    use super::*;
    use crate::store::audit_read::AuditFilter;

    fn parse(query: &str) -> Result<(AuditFilter, PageStart, usize), Problem> {
        let FromQuery((filter, page)) = FromQuery::<Asked>::parse(query)?;
        Ok((filter.parse()?, page.start()?, page.rows_max()))
    }

    #[test]
    fn a_page_that_asks_nothing_is_the_newest_fifty() {
        let (filter, start, rows_max) = parse("").unwrap();
        assert_eq!((rows_max, start), (50, PageStart::Newest));
        assert!(filter.is_bounded_by_time_only());
    }

    #[test]
    fn every_filter_is_read() {
        let (filter, _, rows_max) = parse(
            "agent=-&tool=query&sector=mail&result=errored&from=2026-01-01T00:00:00Z&to=2026-02-01T01:00:00%2B01:00&q=MiXed&limit=500",
        )
        .unwrap();
        assert_eq!(rows_max, 500);
        assert!(filter.without_agent && filter.agent.is_none());
        assert_eq!(
            (filter.decision, filter.outcome),
            (Some("allow"), Some("error"))
        );
        assert_eq!(filter.text.as_deref(), Some("mixed"));
        assert_eq!(filter.to.unwrap().to_rfc3339(), "2026-02-01T00:00:00+00:00");
        assert_eq!(
            (filter.tool.as_deref(), filter.sector.as_deref()),
            (Some("query"), Some("mail"))
        );
    }

    #[test]
    fn what_cannot_be_taken_is_refused() {
        for (query, expected) in [
            ("limit=0", "send a whole number from 1 to 500"),
            ("limit=501", "send a whole number from 1 to 500"),
            ("limit=x", "send a whole number from 1 to 500"),
            ("before=x", "send a `next` or `prev` of an earlier answer"),
            (
                "before=AA&after=AA",
                "send a `next` or `prev` of an earlier answer",
            ),
            ("decision=maybe", "send one of allow, deny"),
            ("outcome=fine", "send one of ok, error"),
            ("result=ok", "send one of allowed, denied, errored"),
            (
                "result=denied&decision=deny",
                "send result, or decision and outcome, not both",
            ),
            (
                "from=yesterday",
                "send a time as RFC 3339, such as 2026-01-31T00:00:00Z",
            ),
            (
                "to=2026-01-01",
                "send a time as RFC 3339, such as 2026-01-31T00:00:00Z",
            ),
            (
                "user_id=1",
                "unknown field `user_id`; this route takes agent, tool, sector, decision, outcome, result, from, to, q, limit, before, after",
            ),
            ("q=%00", "U+0000 is in no text of the record"),
        ] {
            let refusal = parse(query).unwrap_err().to_string();
            assert_eq!(refusal, format!("invalid: {expected}"), "{query}");
        }
    }
}
