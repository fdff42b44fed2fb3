//! The OpenAPI document, compared with the routes that the server really has.

use reqwest::Method;
use serde_json::{Map, Value};

use crate::support::TestApp;
use crate::support::app::Answer;

const VERBS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

async fn paths(app: &TestApp) -> Map<String, Value> {
    let document = app.get("/api/openapi.json").await.expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    document["paths"].as_object().unwrap().clone()
}

/// Whether the port has no such route: the text of its fallback, which no handler returns.
fn is_no_route(answer: &Answer) -> bool {
    answer.status == 404 && answer.text.contains("there is no such route")
}

async fn ask(app: &TestApp, verb: &str, path: &str) -> Answer {
    let method = Method::from_bytes(verb.to_uppercase().as_bytes()).unwrap();
    // A body that no route accepts, so that nothing changes.
    let request = app.request(method, path).json(&serde_json::json!([]));
    app.send(request).await
}

/// Whether a described path with parameters has this method and takes in the path: an agent may be called as a route is.
fn is_covered(described: &Map<String, Value>, asked: &str, verb: &str) -> bool {
    described.iter().any(|(path, operations)| {
        let takes_in = path.split('/').count() == asked.split('/').count()
            && (path.split('/').zip(asked.split('/')))
                .all(|(pattern, word)| pattern.starts_with('{') || pattern == word);
        takes_in && operations.get(verb).is_some()
    })
}

#[actix_web::test]
async fn r102_every_route_is_described_and_nothing_is_described_that_is_no_route() {
    let app = TestApp::start().await;
    let described = paths(&app).await;
    assert!(described.len() > 20, "{}", described.len());
    for (path, operations) in &described {
        let asked = path.replace(['{', '}'], "");
        for verb in VERBS {
            let answer = ask(&app, verb, &asked).await;
            let is_there = operations.get(verb).is_some() || is_covered(&described, &asked, verb);
            assert_eq!(!is_no_route(&answer), is_there, "{verb} {path}: {answer:?}");
        }
    }
}

#[actix_web::test]
async fn every_operation_says_what_it_takes_and_answers() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for (path, operations) in paths(&app).await {
        for (verb, operation) in operations.as_object().unwrap() {
            let case = format!("{verb} {path}");
            ids.push(operation["operationId"].as_str().unwrap().to_owned());
            assert!(
                operation["summary"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty())
            );
            let responses = operation["responses"].as_object().unwrap();
            assert!(
                responses
                    .keys()
                    .any(|status| status.starts_with(['2', '3'])),
                "{case}"
            );
            for (status, response) in responses {
                if matches!(status.as_str(), "204" | "303") {
                    assert!(response.get("content").is_none(), "{case} {status}");
                    continue;
                }
                let content = response["content"].as_object().unwrap();
                for schema in content.values() {
                    let schema = schema["schema"].as_object();
                    assert!(
                        schema.is_some_and(|schema| !schema.is_empty()),
                        "{case} {status}"
                    );
                }
            }
            assert_eq!(
                verb != "get",
                operation.get("requestBody").is_some(),
                "{case}"
            );
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id twice");
}

#[actix_web::test]
async fn every_example_of_a_question_runs_as_it_stands() {
    let app = TestApp::start().await;
    app.push_connection("calendar.series").await;
    let key = app.key_of("claude", &["*"]).await;
    let mut asked = 0;
    for (path, operations) in paths(&app).await {
        let schema = "/post/requestBody/content/application~1json/schema/examples";
        let examples = operations.pointer(schema).and_then(Value::as_array);
        for example in examples.into_iter().flatten() {
            let sector = example["target"]
                .as_str()
                .unwrap()
                .split('.')
                .next()
                .unwrap();
            let request = app.request(Method::POST, &path.replace("{sector}", sector));
            let answer = app.send(request.bearer_auth(&key).json(example)).await;
            assert_eq!(answer.status, 200, "{path} {example}: {answer:?}");
            asked += 1;
        }
    }
    assert!(asked > 10, "{asked}");
}
