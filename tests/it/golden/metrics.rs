use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use reqwest::Method;
use serde_json::json;

use super::file;
use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;
use crate::support::golden::assert_kept;

/// Labels whose values are not fixed by us.
const MASKED: [&str; 2] = ["connection", "version"];

/// The values of each label in the samples of one name.
type Labels = BTreeMap<String, BTreeSet<String>>;

/// Parses `name{a="b",c="d"} 1` into its name and labels.
fn labels(line: &str) -> (&str, Vec<(String, String)>) {
    let Some((name, rest)) = line.split_once('{') else {
        return (line.split(' ').next().unwrap(), Vec::new());
    };
    let (inside, _) = rest.rsplit_once('}').unwrap();
    let pairs = inside.split("\",").map(|pair| {
        let (label, value) = pair.split_once("=\"").unwrap();
        (label.to_owned(), value.trim_end_matches('"').to_owned())
    });
    (name, pairs.collect())
}

/// Every family with its help text and type, and the labels of its samples; no values.
fn outline(text: &str) -> String {
    let mut outline = String::new();
    let mut samples: BTreeMap<&str, Labels> = BTreeMap::new();
    for line in text.lines() {
        if line.starts_with('#') {
            flush(&mut outline, &mut samples);
            writeln!(outline, "{line}").unwrap();
            continue;
        }
        let (name, pairs) = labels(line);
        let known = samples.entry(name).or_default();
        for (label, value) in pairs {
            let shown = if MASKED.contains(&label.as_str()) {
                "…"
            } else {
                &value
            };
            known.entry(label).or_default().insert(shown.to_owned());
        }
    }
    flush(&mut outline, &mut samples);
    outline
}

fn flush(outline: &mut String, samples: &mut BTreeMap<&str, Labels>) {
    for (name, labels) in std::mem::take(samples) {
        let labels = labels.iter().map(|(label, values)| {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            format!("{label}={}", values.join("|"))
        });
        let labels: Vec<String> = labels.collect();
        writeln!(outline, "{name} {}", labels.join(" ")).unwrap();
    }
}

#[actix_web::test]
async fn the_metrics_and_their_labels_are_the_kept_ones() {
    let app = TestApp::start().await;
    let (connection, secret) = app.push_connection("mail.messages").await;
    let push = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    let push = push
        .bearer_auth(&secret)
        .json(&json!([{ "id": "1", "subject": "x" }]));
    app.send(push).await.expect(200);
    let url = format!("http://{}/mcp", app.agents);
    let agent = Client::new(&url, Some(app.key_of("laptop", &["mail"]).await));
    for target in ["mail.messages", "finance.transactions"] {
        json_of(agent.modern_call("query", json!({ "target": target }))).await;
    }
    app.audit_rows(3).await;
    let text = app.get("/metrics").await.text;
    assert_kept(&file("metrics.txt"), &outline(&text));
}

#[test]
fn figures_leave_an_outline_and_labels_stay() {
    let text = "# TYPE a counter\na{x=\"1, 2\",version=\"3\"} 4\na{x=\"5\",version=\"6\"} 7\n# TYPE b gauge\nb 8\n";
    let expected = "# TYPE a counter\na version=… x=1, 2|5\n# TYPE b gauge\nb \n";
    assert_eq!(outline(text), expected);
}
