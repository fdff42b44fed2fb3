//! The text that the agent reads.

use serde_json::{Value, json};
use sextant::catalog;
use sextant_actors::domain::{Reply, Sector, SectorSet};

use crate::query::house::{House, NOW};

#[actix_rt::test]
async fn r072_describe_context_lists_granted_sectors_whether_or_not_they_hold_data() {
    let mut house = House::build().await;
    house.connect("finance.transactions", "Bank").await;
    house.connect("mail.messages", "Post").await;
    house.granted = SectorSet::EMPTY.with(Sector::Finance).with(Sector::Home);
    let context = house.answer("describe_context", json!({})).await;
    assert_eq!(context["sectors"], json!(["finance", "home"]));
    assert_eq!(context["now"], NOW);
    assert_eq!(context["timezone"], "Europe/Berlin");
    assert_eq!(
        context["agent"],
        json!({"name": "claude", "expires_at": null})
    );
    let connections = &context["freshness"]["finance"]["connections"];
    assert_eq!(
        connections,
        &json!([{"label": "Bank", "state": "active", "as_of": "2026-03-17T08:00:00Z", "covers_from": null}])
    );
    assert_eq!(context["freshness"]["home"]["connections"], json!([]));
    assert_eq!(context["freshness"]["home"]["targets"][0], "home.entities");
    assert!(context["freshness"].get("mail").is_none());
}

#[actix_rt::test]
async fn describe_context_tells_when_the_grant_ends_and_from_when_on_a_connection_covers() {
    let mut house = House::build().await;
    house.connect("finance.transactions", "Bank").await;
    let window =
        "INSERT INTO sync_cursors (user_id, connection_id, scope, window_start, window_end)
        SELECT user_id, id, 'all', '2025-01-01T00:00:00Z', '2026-03-01T00:00:00Z' FROM connections";
    house.owner.batch_execute(window).await.unwrap();
    house.expires_at = Some("2026-04-01T00:00:00Z".parse().unwrap());
    let context = house.answer("describe_context", json!({})).await;
    assert_eq!(context["agent"]["expires_at"], "2026-04-01T00:00:00Z");
    let connection = &context["freshness"]["finance"]["connections"][0];
    assert_eq!(connection["covers_from"], "2025-01-01T00:00:00Z");
}

#[actix_rt::test]
async fn r064_an_empty_grant_has_a_context_and_an_empty_schema() {
    let mut house = House::build().await;
    house.granted = SectorSet::EMPTY;
    assert_eq!(
        house.answer("describe_context", json!({})).await["sectors"],
        json!([])
    );
    assert_eq!(
        house.answer("get_schema", json!({})).await["tables"],
        json!([])
    );
}

#[actix_rt::test]
async fn the_schema_is_short_true_and_its_examples_run() {
    let house = House::build().await;
    let watch = house.connect("health.samples", "Watch").await;
    for table in catalog::tables().filter(|table| table.is_stored()) {
        house.fill(watch, table, 1, 40).await;
    }
    for sector in Sector::ALL {
        let Reply::Answer(text) = house
            .call("get_schema", json!({"target": sector}))
            .await
            .reply
        else {
            panic!("no schema of {sector}");
        };
        assert!(
            text.text_bytes() < 1500 * 4,
            "{sector}: {}",
            text.text_bytes()
        );
        let schema: Value = serde_json::from_str(&text.to_string()).unwrap();
        for table in schema["tables"].as_array().unwrap() {
            for example in table["examples"].as_array().unwrap() {
                house.query(example.clone()).await;
            }
            assert_eq!(table["examples"].as_array().unwrap().len(), 2);
            assert!(table["rows"].as_i64().unwrap() > 0, "{}", table["target"]);
        }
    }
    let one = house
        .answer("get_schema", json!({"target": "finance.transactions"}))
        .await;
    let table = &one["tables"][0];
    assert_eq!(table["rows"], 40);
    assert_eq!(table["covers"], json!(["2026-01-01", "2026-01-11"]));
    assert_eq!(
        table["fields"]["description"],
        json!({"type": "text", "untrusted": true, "searchable": true})
    );
    assert_eq!(
        table["fields"]["status"]["values"],
        json!(["pending", "posted"])
    );
    assert_eq!(table["joins"]["account_id"], "accounts.id");
}

#[actix_rt::test]
async fn get_record_gives_every_field_and_whole_texts() {
    let house = House::build().await;
    let post = house.connect("mail.messages", "Post").await;
    let body = format!("Hello\u{202e}\n{}", "long ".repeat(20_000));
    let id = uuid::Uuid::from_u128(7);
    let sql = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, subject, body_text, raw, extra)
        VALUES ($1, $2, $3, 'x', 'Hi', $4, '{\"h\": 1}', '{\"colour\": \"red\"}')";
    house
        .owner
        .execute(sql, &[&id, &sextant_actors::domain::OPERATOR, &post, &body])
        .await
        .unwrap();
    let answer = house
        .answer("get_record", json!({"target": "mail.messages", "id": id}))
        .await;
    let record = answer["record"].as_object().unwrap();
    let table = catalog::by_target("mail.messages").unwrap();
    assert!(
        table
            .fields
            .iter()
            .all(|field| record.contains_key(field.name))
    );
    assert_eq!(record["connection"], "Post");
    let text = record["body_text"].as_str().unwrap();
    assert!(text.len() > 100_000 && !text.contains('\u{202e}'));
    assert!(text.starts_with("<<<data ") && text.ends_with(" data>>>"));
    assert!(!record.contains_key("raw"));
    let raw = house
        .answer(
            "get_record",
            json!({"target": "mail", "id": id, "raw": true}),
        )
        .await;
    assert_eq!(raw["target"], "mail.messages");
    assert_eq!(raw["record"]["raw"], json!({"h": 1}));
    assert_eq!(raw["record"]["extra"], json!({"colour": "red"}));
    let missing = house
        .answer(
            "get_record",
            json!({"target": "mail.messages", "id": uuid::Uuid::nil()}),
        )
        .await;
    assert_eq!(
        (&missing["record"], &missing["empty"]["reason"]),
        (&Value::Null, &json!("no_match"))
    );
}

#[actix_rt::test]
async fn get_record_finds_a_thread_among_the_tables_of_its_sector() {
    let house = House::build().await;
    let post = house.connect("mail.messages", "Post").await;
    let sql =
        "INSERT INTO mail.messages (id, user_id, connection_id, source_id, thread_id, subject)
        VALUES ($1, $2, $3, 'x', 't1', 'Hi')";
    let message = uuid::Uuid::from_u128(7);
    house
        .owner
        .execute(sql, &[&message, &sextant_actors::domain::OPERATOR, &post])
        .await
        .unwrap();
    let threads = json!({"target": "mail.threads", "format": "records"});
    let thread = house.answer("query", threads).await["rows"][0]["id"].clone();
    for (target, id, found) in [
        ("mail", json!(message), "mail.messages"),
        ("mail", thread.clone(), "mail.threads"),
        ("mail.threads", thread, "mail.threads"),
    ] {
        let asked = json!({"target": target, "id": id});
        let answer = house.answer("get_record", asked).await;
        assert_eq!(answer["target"], found);
        assert_eq!(answer["record"]["subject"], "Hi");
    }
    let missing = json!({"target": "mail", "id": uuid::Uuid::nil()});
    let answer = house.answer("get_record", missing).await;
    assert_eq!(answer["record"], Value::Null);
}

#[actix_rt::test]
async fn r071_fetch_live_without_an_active_connection_says_so_and_is_no_permission_error() {
    let house = House::build().await;
    let text = "no active connection for sector 'finance'";
    for arguments in [
        json!({"target": "finance"}),
        json!({"target": "finance.transactions"}),
    ] {
        assert_eq!(house.fault("fetch_live", arguments).await, text);
    }
    house.connect("finance.transactions", "Bank").await;
    house.alter_connections("paused_at = now()").await;
    assert_eq!(
        house
            .fault("fetch_live", json!({"target": "finance"}))
            .await,
        text
    );
    assert_eq!(
        house.query(json!({"target": "finance.transactions"})).await["returned"],
        0
    );
}

#[actix_rt::test]
async fn fetch_live_at_a_push_connection_says_push_only_and_answers_like_query() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    house
        .fill(
            bank,
            catalog::by_target("finance.transactions").unwrap(),
            1,
            5,
        )
        .await;
    let arguments =
        json!({"target": "finance.transactions", "select": ["amount"], "limit": 2, "timeout_s": 5});
    let answer = house.answer("fetch_live", arguments).await;
    assert_eq!(answer["returned"], 2);
    assert_eq!(answer["fetched"][0]["connection"], "Bank");
    assert_eq!(answer["fetched"][0]["outcome"], "push_only");
    assert_eq!(
        (
            &answer["fetched"][0]["upserted"],
            &answer["fetched"][0]["deleted"]
        ),
        (&json!(0), &json!(0))
    );
    let bare = house
        .answer("fetch_live", json!({"target": "finance"}))
        .await;
    assert_eq!(bare["fetched"][0]["outcome"], "push_only");
    assert_eq!(bare["sources"][0]["connection"], "Bank");
    assert!(bare.get("rows").is_none());
    assert!(bare.get("notes").is_none());
}

#[actix_rt::test]
async fn a_bare_sector_that_is_fetched_keeps_its_budget_and_says_where_rows_are() {
    let house = House::build().await;
    for number in 0..60 {
        let label = format!("{number:02} \"bank\" {}", "ü".repeat(40));
        house.connect("finance.transactions", &label).await;
    }
    for tokens in [500, 2000, 25_000] {
        let arguments = json!({"target": "finance", "budget": tokens, "where": {"amount": {"lt": 0}}, "limit": null});
        let Reply::Answer(text) = house.call("fetch_live", arguments).await.reply else {
            panic!("an answer");
        };
        assert!(
            text.text_bytes() <= tokens * 4,
            "{} bytes",
            text.text_bytes()
        );
        let answer: Value = serde_json::from_str(&text.to_string()).unwrap();
        let list = |name: &str| answer[name].as_array().unwrap().clone();
        let (fetched, sources) = (list("fetched").len(), list("sources").len());
        assert!(fetched > 1 && sources > 1, "{text}");
        let told = |words: &str| {
            list("notes")
                .iter()
                .any(|note| note.as_str().unwrap().contains(words))
        };
        assert!(told("`target` one of finance.transactions"), "{text}");
        assert_eq!(told("further sources"), sources < 60, "{text}");
        assert_eq!(told("further of `fetched`"), fetched < 60, "{text}");
        assert_eq!(tokens == 25_000, fetched == 60 && sources == 60);
    }
    let wrong = json!({"target": "finance", "budget": 3});
    let said = house.fault("fetch_live", wrong).await;
    assert!(
        said.ends_with(r#"Try: {"budget":500,"target":"finance"}"#),
        "{said}"
    );
}

#[actix_rt::test]
async fn r007_without_a_home_no_sector_offers_an_action_and_says_so() {
    let house = House::build().await;
    for sector in Sector::ALL {
        let answer = house
            .answer("list_actions", json!({"target": sector}))
            .await;
        assert_eq!(answer["actions"], json!([]));
        assert!(answer["notes"][0].as_str().unwrap().contains("no action"));
    }
    let said = house
        .fault(
            "invoke_action",
            json!({"action": "home.light.turn_on", "params": {}}),
        )
        .await;
    assert!(
        said.contains("no active connection for sector 'home'"),
        "{said}"
    );
}

#[actix_rt::test]
async fn texts_of_others_are_cleaned_in_a_query_too() {
    let house = House::build().await;
    let bank = house.connect("finance.transactions", "Bank").await;
    let sql = "INSERT INTO finance.transactions (id, user_id, connection_id, source_id, amount, booked_on, description)
        VALUES ($1, $2, $3, 'x', 1, '2026-01-01', E'Pay\\u200b \\u202eme')";
    let id = uuid::Uuid::from_u128(7);
    house
        .owner
        .execute(sql, &[&id, &sextant_actors::domain::OPERATOR, &bank])
        .await
        .unwrap();
    let answer = house
        .query(json!({"target": "finance.transactions", "select": ["description"]}))
        .await;
    assert_eq!(answer["rows"], json!([["Pay me"]]));
    assert_eq!(answer["untrusted"], json!(["description"]));
}
