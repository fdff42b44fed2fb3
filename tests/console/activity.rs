//! The audit log: journeys 16 and 17.

use serde_json::json;

use crate::harness::element::Role;
use crate::harness::{Console, in_browser};
use crate::support::eventually::eventually;

/// A served call, a refused one and a failed one of `claude`.
async fn three_calls(console: &Console) {
    let key = console.service.key("claude", &["finance"]).await;
    console
        .ask(
            &key,
            "query",
            json!({ "target": "finance.transactions", "search": null }),
        )
        .await;
    console
        .ask(&key, "query", json!({ "target": "mail.messages" }))
        .await;
    console
        .ask(
            &key,
            "query",
            json!({ "target": "finance.transactions", "where": { "amount": { "lt": "x" } } }),
        )
        .await;
    console.row("result=errored").await;
}

async fn rows(console: &Console, query: &str) -> usize {
    let page = &console.browser;
    page.open(&format!("/activity{query}")).await;
    let rows = page
        .run(
            "return document.querySelectorAll('[aria-label=\"Audit log\"] tbody tr').length",
            vec![],
        )
        .await;
    usize::try_from(rows.as_u64().unwrap()).unwrap()
}

#[test]
fn r049_each_row_is_allowed_denied_or_errored_and_each_filter_leaves_its_own() {
    in_browser("activity::filters", async |console| {
        three_calls(console).await;
        let page = &console.browser;
        page.open("/activity").await;
        for word in ["Allowed", "Denied", "Errored", "access denied: mail"] {
            page.shows(word).await;
        }
        let text = page.text().await;
        assert!(
            !text.contains("search: null") && !text.contains("user_id"),
            "{text}"
        );
        for (query, count) in [
            ("?result=allowed", 1),
            ("?result=denied", 1),
            ("?result=errored", 1),
            ("?sector=finance", 2),
            ("?agent=claude", 3),
            ("?agent=-", 0),
            ("?tool=query", 3),
            ("?tool=get_record", 0),
            ("?q=messages", 1),
            ("?from=2020-01-01&to=2020-01-02", 0),
            ("?sector=finance&result=errored", 1),
        ] {
            assert_eq!(rows(console, query).await, count, "{query}");
        }
        let page = &console.browser;
        page.open("/activity").await;
        page.field("Result").choose("Denied").await;
        page.is_at("/activity?result=denied").await;
        page.field("Sector").choose("finance").await;
        page.is_at("/activity?result=denied&sector=finance").await;
        page.shows("No rows match").await;
        page.link("Clear filters").click().await;
        page.is_at("/activity").await;
    });
}

#[test]
fn r044_r046_a_rows_detail_has_all_of_it_and_what_it_would_get_now() {
    in_browser("activity::detail", async |console| {
        three_calls(console).await;
        console.browser.expect("preview");
        let page = &console.browser;
        let row = console.row("result=allowed&agent=claude").await;
        page.open(&format!(
            "/activity/{}?agent=claude",
            row["id"].as_str().unwrap()
        ))
        .await;
        page.shows("\"search\": null").await;
        assert!(!page.text().await.contains("user_id"));
        page.button("What would this call get now?").click().await;
        page.shows("\"target\": \"finance.transactions\"").await;
        page.button("Close").click().await;
        page.is_at("/activity?agent=claude").await;
        let denied = console.row("result=denied").await;
        page.open(&format!("/activity/{}", denied["id"].as_str().unwrap()))
            .await;
        page.button("Turn on mail for claude").click().await;
        page.the(Role::Button, "Turn on mail").click().await;
        page.shows("Saved. claude can use mail from its next session.")
            .await;
        page.shows("claude can use mail now.").await;
        assert_eq!(
            console.get("/api/agents/claude").await["sectors"],
            json!(["finance", "mail"])
        );
    });
}

#[test]
fn new_rows_are_announced_under_the_filters_and_not_inserted() {
    in_browser("activity::new", async |console| {
        let key = console.service.key("claude", &["finance"]).await;
        for _ in 0..3 {
            console.ask(&key, "describe_context", json!({})).await;
        }
        eventually("all three are there", async || {
            let page = console.get("/api/audit?agent=claude").await;
            page["rows"].as_array().unwrap().len() == 3
        })
        .await;
        let page = &console.browser;
        page.open("/activity?result=allowed").await;
        page.shows("describe_context").await;
        console.ask(&key, "get_schema", json!({})).await;
        console
            .ask(&key, "query", json!({ "target": "mail.messages" }))
            .await;
        page.shows("1 new row").await;
        assert!(!page.text().await.contains("get_schema\n"));
        page.button("1 new row").click().await;
        page.eventually("it stands there", "return [...document.querySelectorAll('tbody td')].some((cell) => cell.textContent.trim() === 'get_schema')").await;
    });
}

#[test]
fn pages_are_exact_and_the_export_has_the_same_rows() {
    in_browser("activity::pages", async |console| {
        let key = console.service.key("claude", &["finance"]).await;
        for _ in 0..60 {
            console.ask(&key, "describe_context", json!({})).await;
        }
        eventually("all rows are there", async || {
            console.get("/api/audit?agent=claude&limit=100").await["rows"]
                .as_array()
                .unwrap()
                .len()
                == 60
        })
        .await;
        let page = &console.browser;
        page.open("/activity?agent=claude").await;
        let ids = "return [...document.querySelectorAll('[aria-label=\"Audit log\"] tbody a')].map((link) => link.pathname)";
        let newest = page.run(ids, vec![]).await;
        assert_eq!(newest.as_array().unwrap().len(), 50);
        page.button("Older").click().await;
        page.eventually(
            "ten are left",
            "return document.querySelectorAll('[aria-label=\"Audit log\"] tbody tr').length === 10",
        )
        .await;
        page.client.refresh().await.unwrap();
        page.is_ready().await;
        page.button("Newer").click().await;
        page.eventually(
            "fifty again",
            "return document.querySelectorAll('[aria-label=\"Audit log\"] tbody tr').length === 50",
        )
        .await;
        assert_eq!(page.run(ids, vec![]).await, newest);
        let href = page
            .link("Export CSV")
            .found()
            .await
            .attr("href")
            .await
            .unwrap()
            .unwrap();
        assert_eq!(href, "/api/audit.csv?agent=claude");
    });
}

#[test]
fn the_export_has_the_rows_that_the_filter_leaves() {
    in_browser("activity::export", async |console| {
        three_calls(console).await;
        let page = &console.browser;
        page.open("/activity?result=denied&agent=claude").await;
        let export = page.link("Export CSV").found().await;
        let href = export.attr("href").await.unwrap().unwrap();
        let read = "const [href, done] = arguments; fetch(href).then((answer) => answer.text()).then(done)";
        let csv = page.client.execute_async(read, vec![json!(href)]).await;
        let csv = csv.unwrap().as_str().unwrap().to_owned();
        let listed = console.get("/api/audit?result=denied&agent=claude").await;
        let listed = listed["rows"].as_array().unwrap().clone();
        assert_eq!(csv.trim_end().lines().count(), listed.len() + 1, "{csv}");
        for row in &listed {
            assert!(csv.contains(row["id"].as_str().unwrap()), "{row} {csv}");
        }
        let shown = "return [...document.querySelectorAll('[aria-label=\"Audit log\"] tbody a')].map((link) => link.pathname)";
        let ids = listed.iter().map(|row| row["id"].as_str().unwrap());
        let paths: Vec<String> = ids.map(|id| format!("/activity/{id}")).collect();
        assert_eq!(page.run(shown, vec![]).await, json!(paths));
    });
}

#[test]
fn a_row_with_something_left_out_says_why_it_cannot_be_asked_again() {
    in_browser("activity::partial", async |console| {
        let key = console.service.key("claude", &["mail"]).await;
        let target = "mail.messages";
        for arguments in [
            json!({ "target": target, "where": { "password": { "eq": "x" } } }),
            json!({ "target": target, "search": "long ".repeat(8_000) }),
        ] {
            console.ask(&key, "query", arguments).await;
        }
        for (mark, query) in [("[redacted]", "q=redacted"), ("[truncated]", "q=truncated")] {
            let row = console.row(query).await;
            let page = &console.browser;
            page.open(&format!("/activity/{}", row["id"].as_str().unwrap()))
                .await;
            page.shows(mark).await;
            page.shows("parts of its parameters were not recorded")
                .await;
            let again = page.button("What would this call get now?");
            assert!(!again.is_there().await, "{mark}");
        }
    });
}

#[test]
fn a_stale_place_in_the_address_leads_to_the_newest_rows() {
    in_browser("activity::stale", async |console| {
        console.browser.expect("/api/audit");
        three_calls(console).await;
        let page = &console.browser;
        page.open("/activity?result=denied&before=stale").await;
        page.shows("Could not load the audit log").await;
        assert!(!page.button("Try again").is_there().await);
        page.link("Show the newest rows").click().await;
        page.is_at("/activity?result=denied").await;
        page.shows("access denied: mail").await;
    });
}
