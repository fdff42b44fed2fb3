//! The operator's own reads: all six sectors, on the one path of every call, and no audit row but that of a live
//! fetch.

use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::domain::Sector;

use crate::support::TestApp;
use crate::support::answers::{household, without_times};

/// The main table of a sector.
const TABLES: [(&str, &str); 6] = [
    ("finance", "transactions"),
    ("mail", "messages"),
    ("calendar", "events"),
    ("contacts", "people"),
    ("health", "days"),
    ("home", "entities"),
];

#[actix_web::test]
async fn r102_r109_r041_the_inspector_reads_all_six_sectors_and_writes_no_row() {
    let (app, before) = household().await;
    for (sector, table) in TABLES {
        let path = format!("/api/data/{sector}");
        let bare = json!({ "target": table, "limit": 2 });
        let rows = app.post(&path, bare).await;
        let qualified = json!({ "target": format!("{sector}.{table}"), "limit": 2 });
        let again = app.post(&path, qualified).await;
        assert_eq!(without_times(&rows.text), without_times(&again.text));
        let rows = rows.expect(200);
        assert_eq!(rows["returned"], 2, "{rows}");
        let columns = rows["columns"].as_array().unwrap();
        let id = columns.iter().position(|name| name == "id").unwrap();
        let id = rows["rows"][0][id].as_str().unwrap();
        let record = app.get(&format!("{path}/{id}")).await.expect(200);
        assert_eq!(record["target"], format!("{sector}.{table}"));
        assert_eq!(record["record"]["id"], id);
        assert!(record["record"].get("raw").is_none());
        let raw = app.get(&format!("{path}/{id}?raw=true")).await.expect(200);
        assert_eq!(raw["record"]["id"], id);
    }
    let context = app.get("/api/operator/context").await.expect(200);
    assert_eq!(context["sectors"], json!(Sector::ALL));
    assert_eq!(
        context["agent"],
        json!({ "name": "operator", "expires_at": null })
    );
    let schema = app.get("/api/operator/schema").await.expect(200);
    let tables = schema["tables"].as_array().unwrap().len();
    assert_eq!(tables, sextant::catalog::tables().count());
    let home = app.get("/api/operator/schema?target=home.entities").await;
    assert_eq!(home.expect(200)["tables"].as_array().unwrap().len(), 1);
    assert_eq!(app.sessions("").await, json!([]));

    // Rows keep their order: a row of any earlier request would come before this one.
    let fetch = json!({ "target": "home" });
    app.post("/api/operator/fetch_live", fetch)
        .await
        .expect(200);
    assert_eq!(app.audit_rows(before + 1).await.len(), before + 1);
}

#[actix_web::test]
async fn what_is_not_there_and_what_is_wrong_is_told_with_its_repair() {
    let (app, _) = household().await;
    app.post("/api/data/stars", json!({ "target": "x" }))
        .await
        .expect_problem(404, "not_found", None);
    for path in [
        "/api/data/finance/7",
        "/api/data/finance/00000000-0000-0000-0000-000000000000",
        "/api/data/stars/00000000-0000-0000-0000-000000000000",
    ] {
        app.get(path).await.expect_problem(404, "not_found", None);
    }
    let of_another = json!({ "target": "mail.messages" });
    let answer = app.post("/api/data/finance", of_another).await.expect(400);
    assert_eq!(answer["field"], "target");
    let sent = answer["message"].as_str().unwrap();
    assert!(sent.contains("finance.transactions"), "{sent}");

    let typo = json!({ "target": "transactions", "select": ["ammount"], "limit": 1 });
    let answer = app.post("/api/data/finance", typo).await.expect(400);
    assert_eq!(answer["error"], "invalid");
    let (_, call) = answer["message"]
        .as_str()
        .unwrap()
        .split_once("Try: ")
        .unwrap();
    let repaired: Value = serde_json::from_str(call).unwrap();
    assert_eq!(repaired["select"], json!(["amount"]));
    app.post("/api/data/finance", repaired).await.expect(200);

    for body in ["{", "[", "nonsense"] {
        let answer = app.post_text("/api/data/finance", body).await;
        answer.expect_problem(400, "invalid", None);
    }
    let foreign = app
        .get("/api/operator/schema?target=stars")
        .await
        .expect(403);
    assert_eq!(foreign["message"], "access denied: stars");
    app.get("/api/operator/schema?tagret=home")
        .await
        .expect_problem(400, "invalid", Some("tagret"));
    let raw = app.get("/api/data/finance/7?raw=yes").await;
    raw.expect_problem(400, "invalid", Some("raw"));
}

#[actix_web::test]
async fn r042_a_live_fetch_of_the_operator_is_recorded_whatever_becomes_of_it() {
    let app = TestApp::start().await;
    app.push_connection("finance.accounts").await;
    let fetch = async |arguments: Value| app.post("/api/operator/fetch_live", arguments).await;
    let whole = fetch(json!({ "target": "finance" })).await.expect(200);
    assert_eq!(whole["fetched"][0]["outcome"], "push_only");
    let rows = json!({ "target": "finance.accounts", "limit": 3 });
    assert_eq!(fetch(rows).await.expect(200)["returned"], 0);
    let nothing = fetch(json!({ "target": "home" })).await.expect(409);
    assert_eq!(nothing["message"], "no active connection for sector 'home'");
    let wrong = json!({ "target": "finance.accounts", "limit": 0 });
    fetch(wrong).await.expect(400);
    let stars = fetch(json!({ "target": "stars" })).await.expect(403);
    assert_eq!(stars["message"], "access denied: stars");
    // A body that is no call leaves no row.
    let unread = app.post_text("/api/operator/fetch_live", "{").await;
    unread.expect(400);
    let path = "/api/operator/context";
    app.send(app.request(Method::GET, path)).await.expect(200);

    let rows = app.audit_rows(5).await;
    let told: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!([
                row["agent_id"],
                row["tool"],
                row["sector"],
                row["decision"],
                row["outcome"],
                row["result_count"],
                row["args"]["target"],
            ])
        })
        .collect();
    let row = |sector: Value, outcome: &str, count: Value, target: &str| {
        json!([
            "operator",
            "fetch_live",
            sector,
            "allow",
            outcome,
            count,
            target
        ])
    };
    assert_eq!(
        told,
        [
            row(json!("finance"), "ok", json!(0), "finance"),
            row(json!("finance"), "ok", json!(0), "finance.accounts"),
            row(json!("home"), "error", Value::Null, "home"),
            row(json!("finance"), "error", Value::Null, "finance.accounts"),
            row(Value::Null, "error", Value::Null, "stars"),
        ]
    );
}
