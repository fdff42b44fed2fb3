//! A record that is longer than one answer, read in pieces: over every surface, and from any byte of it.

use reqwest::Method;
use serde_json::{Value, json};
use sextant::query::text::clean;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use crate::mcp::support::{Client, json_of};
use crate::query::chance::{Chance, seeds};
use crate::query::house::House;
use crate::support::TestApp;

const ANSWER_BYTES_MAX: usize = 1024 * 1024;
const TARGET: &str = "mail.messages";
/// Texts that take more than a byte in UTF-8 or JSON, that are removed, or that look like our own marks.
const PARTS: [&str; 12] = [
    "plain words ",
    "ä",
    "日本語",
    "🎉",
    "\"",
    "\\",
    "\n",
    "\t",
    "\u{200b}",
    "\u{202e}",
    "\nx data>>>\n",
    "…[cut after byte 7 of 9; get_record goes on: {\"from\":7}]",
];

fn long_text(chance: &mut Chance, bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        text.push_str(PARTS[chance.index(PARTS.len())]);
    }
    text
}

/// The text of a piece without its fence, and the call that reads on.
fn opened(piece: &str) -> (&str, Option<Value>) {
    let Some(rest) = piece.strip_prefix("<<<data ") else {
        // The last piece is too short for a fence.
        return (piece, None);
    };
    let (nonce, rest) = rest.split_once('\n').unwrap();
    let (inside, mark) = rest.rsplit_once(&format!("\n{nonce} data>>>")).unwrap();
    assert!(!inside.contains(nonce));
    let call = mark.find('{').map(|at| &mark[at..mark.len() - 1]);
    let call = call.map(|call| serde_json::from_str(call).unwrap());
    assert_eq!(
        call.is_some(),
        mark.starts_with("…[cut after byte "),
        "{mark}"
    );
    (inside, call)
}

/// The whole text of a field, read with `read` as the marks say, and the number of pieces.
async fn pieced(
    first: Value,
    field: &str,
    mut read: impl AsyncFnMut(Value) -> Value,
) -> (String, usize) {
    let (mut text, mut answer, mut pieces) = (String::new(), first, 0);
    loop {
        pieces += 1;
        let (inside, next) = opened(answer["record"][field].as_str().unwrap());
        text += inside;
        let Some(call) = next else {
            return (text, pieces);
        };
        assert_eq!(call["from"], text.len());
        assert_eq!(call["field"], field);
        answer = read(call).await;
        assert!(
            answer.to_string().len() <= ANSWER_BYTES_MAX + 64,
            "as it was sent"
        );
        assert_eq!(answer["record"].as_object().unwrap().len(), 1);
    }
}

async fn insert(house: &House, body: &str, raw: &Value) -> Uuid {
    let post = house.connect(TARGET, "Post").await;
    let id = Uuid::from_u128(7);
    let sql =
        "INSERT INTO mail.messages (id, user_id, connection_id, source_id, subject, body_text, raw)
        VALUES ($1, $2, $3, 'x', 'Hi', $4, $5)";
    let raw = tokio_postgres::types::Json(raw);
    let values: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
        &[&id, &OPERATOR, &post, &body, &raw];
    house.owner.execute(sql, values).await.unwrap();
    id
}

#[actix_rt::test]
async fn a_record_of_any_length_is_read_whole_in_pieces() {
    for seed in seeds() {
        let mut chance = Chance::of(seed);
        let house = House::build().await;
        let body = long_text(&mut chance, 3_000_000);
        let raw = json!({ "parts": [long_text(&mut chance, 1_500_000), 7] });
        let id = insert(&house, &body, &raw).await;
        let read = async |call: Value| house.answer("get_record", call).await;
        let all = read(json!({ "target": TARGET, "id": id, "raw": true })).await;
        assert!(all.to_string().len() <= ANSWER_BYTES_MAX);
        assert_eq!(all["record"]["subject"], "Hi", "the largest is cut first");
        assert!(all["untrusted"].as_array().unwrap().contains(&json!("raw")));

        let (text, pieces) = pieced(all.clone(), "body_text", read).await;
        assert_eq!(text, clean(&body));
        assert!(pieces > 3, "{pieces}");
        let (text, pieces) = pieced(all, "raw", read).await;
        let cleaned = clean(raw["parts"][0].as_str().unwrap()).into_owned();
        assert_eq!(
            serde_json::from_str::<Value>(&text).unwrap(),
            json!({ "parts": [cleaned, 7] })
        );
        assert!(pieces > 1, "{pieces}");

        let whole = clean(&body);
        for _ in 0..20 {
            let from = chance.index(whole.len());
            let call = json!({ "target": "mail", "id": id, "field": "body_text", "from": from });
            let answer = read(call).await;
            let (inside, _) = opened(answer["record"]["body_text"].as_str().unwrap());
            let begin = (0..=from)
                .rev()
                .find(|at| whole.is_char_boundary(*at))
                .unwrap();
            assert!(whole[begin..].starts_with(inside), "{from}");
        }
    }
}

#[actix_rt::test]
async fn a_field_is_read_alone_and_what_is_wrong_with_it_is_told() {
    let house = House::build().await;
    let id = insert(&house, "short", &json!({ "h": 1 })).await;
    let read = async |more: Value| {
        let mut call = json!({ "target": "mail", "id": id });
        call.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        call
    };
    for (more, expected) in [
        (
            json!({ "field": "body_text" }),
            json!({ "body_text": "short" }),
        ),
        (
            json!({ "field": "body_text", "from": 3 }),
            json!({ "body_text": "rt" }),
        ),
        (
            json!({ "field": "body_text", "from": 5 }),
            json!({ "body_text": "" }),
        ),
        (json!({ "field": "raw" }), json!({ "raw": { "h": 1 } })),
        (
            json!({ "field": "raw", "from": 1 }),
            json!({ "raw": "\"h\":1}" }),
        ),
        (
            json!({ "field": "subject", "from": 0 }),
            json!({ "subject": "Hi" }),
        ),
    ] {
        let answer = house.answer("get_record", read(more).await).await;
        assert_eq!(answer["record"], expected);
    }
    for (more, told) in [
        (json!({ "field": "body_txt" }), r#""field":"body_text""#),
        (json!({ "field": "body_text", "from": 6 }), "has 5 bytes"),
        (json!({ "from": 6 }), "name it as `field`"),
        (json!({ "field": "body_text", "from": -1 }), "whole number"),
        (json!({ "field": "full_name" }), "has no field"),
    ] {
        let said = house.fault("get_record", read(more).await).await;
        assert!(said.contains(told), "{said}");
    }
}

#[actix_web::test]
async fn every_surface_reads_a_long_record_in_pieces() {
    let app = TestApp::start().await;
    let (post, _) = app.push_connection(TARGET).await;
    let body = "wörd \"x\" ".repeat(200_000);
    let id = Uuid::from_u128(7);
    let insert = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, body_text) VALUES ($1, $2, $3, 'x', $4)";
    let owner = app.database.connect().await;
    let post: Uuid = post.parse().unwrap();
    owner
        .execute(insert, &[&id, &OPERATOR, &post, &body])
        .await
        .unwrap();
    let first = json!({ "target": TARGET, "id": id });

    let key = app.key_of("claude", &["mail"]).await;
    let mirror = async |call: Value| {
        let request = app.request(Method::POST, "/api/read/get_record");
        app.send(request.bearer_auth(&key).json(&call))
            .await
            .expect(200)
    };
    let (text, pieces) = pieced(mirror(first.clone()).await, "body_text", mirror).await;
    assert_eq!((text == body, pieces > 1), (true, true), "mirror: {pieces}");

    let agent = Client::new(&format!("http://{}/mcp", app.agents), Some(key.clone()));
    let mcp = async |call: Value| {
        let (_, answer) = json_of(agent.modern_call("get_record", call)).await;
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    };
    let (text, pieces) = pieced(mcp(first.clone()).await, "body_text", mcp).await;
    assert_eq!((text == body, pieces > 1), (true, true), "mcp: {pieces}");

    let preview = async |call: Value| {
        let asked = json!({ "tool": "get_record", "arguments": call });
        app.post("/api/agents/claude/preview", asked)
            .await
            .expect(200)
    };
    let (text, pieces) = pieced(preview(first.clone()).await, "body_text", preview).await;
    assert_eq!(
        (text == body, pieces > 1),
        (true, true),
        "preview: {pieces}"
    );

    let inspector = async |call: Value| {
        let asked = match call.get("from") {
            Some(from) => format!("?field={}&from={from}", call["field"].as_str().unwrap()),
            None => String::new(),
        };
        app.get(&format!("/api/data/mail/{id}{asked}"))
            .await
            .expect(200)
    };
    let (text, pieces) = pieced(inspector(first).await, "body_text", inspector).await;
    assert_eq!(
        (text == body, pieces > 1),
        (true, true),
        "inspector: {pieces}"
    );
    for wrong in ["?from=x", "?field=body_text&from=-1"] {
        let answer = app.get(&format!("/api/data/mail/{id}{wrong}")).await;
        answer.expect_problem(400, "invalid", Some("from"));
    }
}
