//! What is recorded of a call: the rules of docs/asking.md#the-row-of-a-call, one after the other.

use serde_json::{Value, json};
use sextant_actors::domain::{Call, Decision, Obstacle, Outcome, Reply, Sector, SectorSet};
use sextant_actors::ports::ToolCalls as _;

use crate::query::house::House;

/// The seven tools, each with `target` as its argument.
fn aimed(target: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("get_schema", json!({"target": target})),
        ("query", json!({"target": target, "no such argument": 1})),
        ("get_record", json!({"target": target, "id": "x"})),
        ("fetch_live", json!({"target": target, "timeout_s": 1000})),
        ("list_actions", json!({"target": target})),
        ("invoke_action", json!({"action": target, "params": 5})),
    ]
}

#[actix_rt::test]
async fn r065_an_ungranted_sector_is_denied_before_anything_else_is_looked_at() {
    let mut house = House::build().await;
    house.granted = SectorSet::EMPTY.with(Sector::Home);
    for (tool, arguments) in aimed("mail.messages") {
        let served = house.call(tool, arguments).await;
        assert_eq!(
            served.decision,
            Decision::Deny("access denied: mail".into()),
            "{tool}"
        );
        assert_eq!(served.reply, Reply::Fault("access denied: mail".into()));
        assert_eq!(
            (served.outcome, served.count, served.sector),
            (None, None, Some(Sector::Mail))
        );
    }
}

#[actix_rt::test]
async fn r066_a_first_word_that_is_no_sector_is_refused_by_every_tool() {
    let house = House::build().await;
    for (target, word) in [
        ("finances.transactions", "finances"),
        ("Mail.messages", "?"),
        ("public.agents", "public"),
    ] {
        for (tool, arguments) in aimed(target) {
            let served = house.call(tool, arguments).await;
            assert_eq!(
                served.decision,
                Decision::Deny(format!("access denied: {word}").into()),
                "{tool}"
            );
            assert_eq!(
                (served.outcome, served.count, served.sector),
                (None, None, None)
            );
        }
    }
}

#[actix_rt::test]
async fn r029_what_was_allowed_and_failed_is_allow_error_without_a_count() {
    let house = House::build().await;
    for (tool, arguments, sector) in [
        (
            "query",
            json!({"target": "mail.messages", "selct": ["id"]}),
            Some(Sector::Mail),
        ),
        (
            "query",
            json!({"target": "mail.nothing"}),
            Some(Sector::Mail),
        ),
        ("query", json!({"target": "mail"}), Some(Sector::Mail)),
        ("query", json!({}), None),
        ("query", json!([1]), None),
        ("query", json!({"target": 5}), None),
        (
            "get_record",
            json!({"target": "mail.messages", "id": "not a uuid"}),
            Some(Sector::Mail),
        ),
        (
            "get_schema",
            json!({"target": "home.nothing"}),
            Some(Sector::Home),
        ),
        ("describe_context", json!({"verbose": true}), None),
        (
            "fetch_live",
            json!({"target": "mail.messages", "timeout_s": 61}),
            Some(Sector::Mail),
        ),
        (
            "invoke_action",
            json!({"action": "home.light.turn_on", "params": {}}),
            Some(Sector::Home),
        ),
        (
            "invoke_action",
            json!({"action": "mail.send"}),
            Some(Sector::Mail),
        ),
        ("invoke_action", json!({}), None),
    ] {
        let served = house.call(tool, arguments.clone()).await;
        assert_eq!(served.decision, Decision::Allow, "{tool} {arguments}");
        assert_eq!(
            (served.outcome, served.count),
            (Some(Outcome::Error), None),
            "{tool} {arguments}"
        );
        assert_eq!(served.sector, sector, "{tool} {arguments}");
        assert!(matches!(
            served.reply,
            Reply::Fault(_) | Reply::Failure(Obstacle::NoSource, _)
        ));
    }
}

#[actix_rt::test]
async fn r025_the_count_is_of_rows_sectors_tables_or_actions() {
    let mut house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let table = sextant::catalog::by_target("finance.transactions").unwrap();
    house.fill(bank, table, 1, 20).await;
    house.granted = SectorSet::EMPTY.with(Sector::Finance).with(Sector::Home);
    let ids = house.column("finance.transactions", "id", json!({})).await;
    for (tool, arguments, count) in [
        (
            "query",
            json!({"target": "finance.transactions", "limit": 7, "select": ["id"]}),
            7,
        ),
        (
            "query",
            json!({"target": "finance.transactions", "where": {"amount": 12345}}),
            0,
        ),
        (
            "get_record",
            json!({"target": "finance.transactions", "id": ids[0]}),
            1,
        ),
        (
            "get_record",
            json!({"target": "finance.transactions", "id": uuid::Uuid::nil()}),
            0,
        ),
        ("describe_context", json!({}), 2),
        ("describe_context", Value::Null, 2),
        ("get_schema", json!({}), 8),
        ("get_schema", json!({"target": "finance"}), 4),
        ("get_schema", json!({"target": "home.areas"}), 1),
        ("list_actions", json!({}), 0),
        (
            "fetch_live",
            json!({"target": "finance.transactions", "limit": 3, "select": ["id"]}),
            3,
        ),
        ("fetch_live", json!({"target": "finance"}), 0),
    ] {
        let served = house.call(tool, arguments.clone()).await;
        assert_eq!(served.decision, Decision::Allow, "{tool} {arguments}");
        assert_eq!(
            (served.outcome, served.count),
            (Some(Outcome::Ok), Some(count)),
            "{tool} {arguments}: {:?}",
            served.reply
        );
    }
}

#[actix_rt::test]
async fn an_unknown_tool_is_a_protocol_error_and_allow_error_in_the_record() {
    let house = House::build().await;
    let served = house.call("drop_tables", json!({"target": "mail"})).await;
    assert_eq!(served.reply, Reply::UnknownTool("drop_tables".into()));
    assert_eq!(
        (served.decision, served.outcome, served.sector),
        (Decision::Allow, Some(Outcome::Error), None)
    );
}

#[actix_rt::test]
async fn the_sector_of_a_call_is_known_before_it_runs() {
    let house = House::build().await;
    let sector = |tool: &str, arguments: Value| {
        house.tool_service.sector_of(&Call {
            tool: tool.into(),
            arguments,
            request_id: None,
        })
    };
    assert_eq!(
        sector("query", json!({"target": "mail.messages"})),
        Some(Sector::Mail)
    );
    assert_eq!(
        sector("invoke_action", json!({"action": "home.light.turn_on"})),
        Some(Sector::Home)
    );
    assert_eq!(sector("invoke_action", json!({"target": "home"})), None);
    assert_eq!(sector("query", json!({"target": "males"})), None);
    assert_eq!(sector("describe_context", json!({"target": "mail"})), None);
    assert_eq!(sector("drop_tables", json!({"target": "mail"})), None);
}
