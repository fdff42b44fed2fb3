//! Error codes and their HTTP statuses stand in one table; every surface reads it.

use super::source::{Source, assert_none, broken, shipped};

/// The table.
const TABLE: &str = "src/http/code.rs";
const WHY: &str = "statuses of errors are those of src/http/code.rs";

/// The files that may name a status of an error, which one, and the reason.
const ALLOWED: [(&str, &str, &str); 5] = [
    (
        "src/http/manual/operation.rs",
        "StatusCode::from_u16(",
        "looks up the reason phrase of a status that an endpoint declares",
    ),
    (
        "src/http/mcp/request.rs",
        "StatusCode::BAD_REQUEST",
        "compared with the answer of rmcp",
    ),
    (
        "src/http/mcp/request.rs",
        "StatusCode::UNSUPPORTED_MEDIA_TYPE",
        "compared with the answer of rmcp",
    ),
    (
        "src/cli/import.rs",
        "StatusCode::CONFLICT",
        "compared with the answer that the command got",
    ),
    (
        "src/http/mcp/convert.rs",
        "StatusCode::from_u16(",
        "converts the status of rmcp's answer from one crate's type to another's",
    ),
];

/// Statuses that are no errors.
const SUCCESSES: [&str; 4] = ["OK", "CREATED", "ACCEPTED", "NO_CONTENT"];
/// Constructors of actix-web's answers that are no errors.
const GOOD_ANSWERS: [&str; 6] = [
    "Ok",
    "Created",
    "Accepted",
    "NoContent",
    "NotModified",
    "SeeOther",
];

/// The words after each `prefix` in `line`.
fn words_after<'a>(line: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(prefix).map(move |(at, _)| {
        let rest = &line[at + prefix.len()..];
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

fn names_error(line: &str) -> bool {
    let is_constant = |name: &&str| name.starts_with(char::is_uppercase);
    let status = words_after(line, "StatusCode::")
        .filter(is_constant)
        .any(|name| !SUCCESSES.contains(&name));
    let written_out = [
        "StatusCode::from_u16(",
        ".status(4",
        ".status(5",
        "actix_web::error::",
    ];
    let answer = words_after(line, "HttpResponse::")
        .filter(is_constant)
        .any(|name| !GOOD_ANSWERS.contains(&name));
    status || answer || written_out.iter().any(|word| line.contains(word))
}

fn rule(source: &Source) -> Vec<String> {
    let is_allowed = |line: &str| {
        let mut allowed = ALLOWED.iter();
        allowed.any(|(path, word, _)| source.path == *path && line.contains(word))
    };
    if source.path == TABLE || !source.is_under(&["src/"]) {
        return Vec::new();
    }
    let lines = source.code.lines().enumerate();
    lines
        .filter(|(_, line)| {
            !line.trim_start().starts_with("use ") && names_error(line) && !is_allowed(line)
        })
        .map(|(at, line)| format!("{}:{}: {}: {WHY}", source.path, at + 1, line.trim()))
        .collect()
}

#[test]
fn statuses_of_errors_stand_in_the_table() {
    assert_none(broken(&shipped(), rule));
}

#[test]
fn every_exception_is_used() {
    for (path, word, why) in ALLOWED {
        let sources = shipped();
        let source = sources.iter().find(|source| source.path == path);
        assert!(
            source.unwrap().code.contains(word),
            "{path}: {word} ({why})"
        );
    }
}

#[test]
fn a_status_elsewhere_is_seen() {
    for text in [
        "HttpResponse::build(StatusCode::NOT_FOUND)",
        "response.status(404)",
        "HttpResponse::ServiceUnavailable().finish()",
        "StatusCode::from_u16(418)",
        "actix_web::error::ErrorNotFound(text)",
    ] {
        let code = format!("fn f() {{ {text}; }}");
        let found = |path: &str| broken(&[Source::of(path, &code)], rule).len();
        assert_eq!(found("src/http/console/page.rs"), 1, "{text}");
        assert_eq!(found(TABLE), 0, "{text}");
    }
    for fine in [
        "HttpResponse::Ok().json(StatusCode::CREATED)",
        "HttpResponse::build(code.status())",
        "fn g(status: StatusCode) -> HttpResponse",
    ] {
        assert_eq!(
            broken(&[Source::of("src/a.rs", fine)], rule),
            Vec::<String>::new()
        );
    }
}
