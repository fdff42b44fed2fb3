//! `static/api.d.ts`: what each route takes and answers, as types by which the Console's scripts are checked. A route that is not there,
//! or a field that has another name, is an error of that check (`tools/console-check`).

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::TestApp;
use crate::support::golden::assert_kept;

const HEAD: &str = "// What each route of the service takes and answers. Written from the table of routes by a test
// (`UPDATE_GOLDEN=1 cargo test --test it -- golden::types`), and not by hand.

/** The options of a call, as far as its route takes them. */
export type Options<R extends keyof Routes> = Routes[R][\"takes\"] & { signal?: AbortSignal };

export interface Routes {
";

/// Longer lists of words are written as any text; no script compares with one of them.
const WORDS_MAX: usize = 16;

/// The value at a path of names.
fn at<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().try_fold(value, |value, name| value.get(name))
}

/// A JSON Schema as a type.
fn typed(schema: &Value) -> String {
    if let Some(words) = at(schema, &["enum"]).and_then(Value::as_array) {
        return match words.len() {
            0..=WORDS_MAX => joined(words.iter().map(Value::to_string)),
            _ => "string".to_owned(),
        };
    }
    let choices = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(name));
    if let Some(choices) = choices.and_then(Value::as_array) {
        return joined(choices.iter().map(typed));
    }
    match schema.get("type") {
        Some(Value::Array(names)) => joined(names.iter().map(|name| named(name, schema))),
        Some(name) => named(name, schema),
        None => "any".to_owned(),
    }
}

fn named(name: &Value, schema: &Value) -> String {
    match name.as_str().unwrap() {
        "object" => object(schema),
        "array" => format!(
            "Array<{}>",
            schema.get("items").map_or("any".to_owned(), typed)
        ),
        "integer" | "number" => "number".to_owned(),
        other => other.to_owned(),
    }
}

fn object(schema: &Value) -> String {
    let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
        let values = schema
            .get("additionalProperties")
            .filter(|value| value.is_object());
        return format!("Record<string, {}>", values.map_or("any".to_owned(), typed));
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|own| own == name));
    let fields = fields.iter().map(|(name, schema)| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("{name}{mark}: {}", typed(schema))
    });
    format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
}

/// A choice of types, each once.
fn joined(types: impl Iterator<Item = String>) -> String {
    let mut choices: Vec<String> = Vec::new();
    for choice in types {
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    choices.join(" | ")
}

/// The parameters of one place, path or query, as an object's type.
fn parameters(operation: &Value, place: &str) -> Option<String> {
    let all = operation["parameters"].as_array().unwrap();
    let own = all.iter().filter(|parameter| parameter["in"] == place);
    let own: Vec<_> = own
        .map(|parameter| {
            let mark = if place == "path" { "" } else { "?" };
            let name = parameter["name"].as_str().unwrap();
            let value = typed(&parameter["schema"]);
            let or_none = if place == "path" { "" } else { " | null" };
            format!("{name}{mark}: {value}{or_none}")
        })
        .collect();
    (!own.is_empty()).then(|| format!("{{ {} }}", own.join("; ")))
}

fn takes(operation: &Value) -> String {
    let path = parameters(operation, "path").map(|path| format!("path: {path}"));
    let query = parameters(operation, "query").map(|query| format!("query?: {query}"));
    let body = at(
        operation,
        &["requestBody", "content", "application/json", "schema"],
    );
    let mark = match operation["requestBody"]["required"].as_bool() {
        Some(true) => "",
        _ => "?",
    };
    let body = body.map(|schema| format!("body{mark}: {}", typed(schema)));
    let all: Vec<_> = [path, query, body].into_iter().flatten().collect();
    format!("{{ {} }}", all.join("; "))
}

fn answer(operation: &Value) -> String {
    let answers = operation["responses"].as_object().unwrap();
    let served = answers.iter().filter(|(status, _)| status.starts_with('2'));
    let served =
        served.map(
            |(_, answer)| match at(answer, &["content", "application/json", "schema"]) {
                Some(schema) => typed(schema),
                None => "null".to_owned(),
            },
        );
    let answer = joined(served);
    // A route that sends a browser on answers nothing to a script.
    if answer.is_empty() {
        "null".to_owned()
    } else {
        answer
    }
}

/// The whole file.
fn declarations(document: &Value) -> String {
    let mut text = HEAD.to_owned();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (verb, operation) in operations.as_object().unwrap() {
            let (verb, takes, answer) = (verb.to_uppercase(), takes(operation), answer(operation));
            writeln!(text, "  \"{verb} {path}\": {{").unwrap();
            writeln!(text, "    takes: {takes};").unwrap();
            writeln!(text, "    answer: {answer};").unwrap();
            writeln!(text, "  }};").unwrap();
        }
    }
    text + "}\n"
}

#[actix_web::test]
async fn the_pages_scripts_know_each_route_as_it_is() {
    let app = TestApp::start().await;
    let document = app.get("/api/openapi.json").await.expect(200);
    assert_kept("static/api.d.ts", &declarations(&document));
}
