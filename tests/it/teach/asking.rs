use serde_json::Value;

use super::{agent, answer, with_sample};

/// Placeholders in docs/asking.md for a cursor of the answer before.
const CURSORS: [&str; 2] = ["next_cursor", "change_cursor"];

/// The examples of the section, in order.
fn examples() -> Vec<Value> {
    let paper = include_str!("../../../docs/asking.md");
    let (_, section) = paper.split_once("\n## Query\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let blocks = section.split("```json\n").skip(1);
    let texts = blocks.map(|block| block.split("```").next().unwrap());
    texts
        .map(|text| serde_json::from_str(text).unwrap())
        .collect()
}

#[actix_web::test]
async fn every_example_of_the_paper_runs_and_finds_something() {
    let app = with_sample().await;
    let client = agent(&app).await;
    let examples = examples();
    assert_eq!(examples.len(), 7);
    let mut before = Value::Null;
    for mut example in examples {
        let mut goes_on = false;
        for (argument, of) in [("cursor", CURSORS[0]), ("changed_since", CURSORS[1])] {
            if example[argument] == format!("<{of}>") {
                assert!(before[of].is_string(), "{before}");
                example[argument] = before[of].clone();
                goes_on = argument == "changed_since";
            }
        }
        let found = answer(&client, "query", &example).await;
        assert_eq!(found["returned"] == 0, goes_on, "{example}: {found}");
        before = found;
    }
}
