//! A test that does not run reports so through one module, in which a skip fails where CI runs.

use super::scan::scan;
use super::source::{Source, all, assert_none, broken};

const SKIPPING: &str = "tests/it/support/skipped.rs";
/// The functions through which that module is reached.
const LEADS: [&str; 40] = [
    "skipped::",
    "installed(",
    "peer::expanded(",
    "certificates::can_be_made(",
    // Servers of the connectors' tests.
    "Dovecot::start(",
    "FakeServer::start(",
    "HomeServer::start(",
    "Peer::Radicale",
    "peer.start(test)",
    "Provider::start(",
    "Radicale.start(",
    "Stage::new(",
    "Stage::start(",
    "AtGoogle::start(",
    "AtMicrosoft::start(",
    "AtWhoop::start(",
    "World::start(",
    "World::start_linking(",
    "World::start_linking_beside(",
    "linked(test)",
    "World::with_nights",
    "World::claimed(",
    "World::connected(",
    "World::with_two_banks(",
    "World::with_months(",
    ".judge(",
    " stage(",
    "whoop.serve(",
    " read(test, ",
    "connected(test)",
    "Led::connect(",
    "World::connect(",
    "World::connect_to(",
    "World::connect_via(",
    "World::new(",
    "emptied(",
    "failure_at(",
    "while_a_page_is_committed(",
    "signed_in(",
    " world(",
];
/// Marks a function that is no test of its own, but a part that another test starts.
const PART: &str = "helper_argument(";
/// How many lines before a return its reason may stand.
const REASON_LINES: usize = 6;

/// The word that marks a skipped test stands in one file only.
fn marks(source: &Source) -> Vec<String> {
    if source.path == SKIPPING {
        return Vec::new();
    }
    // Concatenated here, so that this file does not break its own rule.
    let word = ["SKIP", "PED "].concat();
    let lines = source
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(&word));
    lines
        .map(|(at, _)| {
            format!(
                "{}:{}: a test is skipped through {SKIPPING} only",
                source.path,
                at + 1
            )
        })
        .collect()
}

/// The bodies of tests: the number of the first line, and the lines.
fn bodies(code: &str) -> Vec<(usize, Vec<&str>)> {
    let lines: Vec<&str> = code.lines().collect();
    let is_test = |line: &str| {
        let name = line.trim().trim_start_matches("#[").trim_end_matches(']');
        name == "test" || name.ends_with("::test") || name.contains("::test(")
    };
    let starts =
        (0..lines.len()).filter(|at| lines[*at].trim().starts_with("#[") && is_test(lines[*at]));
    let body = |at: usize| {
        let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
        let end = format!("{indent}}}");
        let rest = lines[at..].iter().copied().take_while(|line| *line != end);
        (at + 1, rest.collect())
    };
    starts.map(body).collect()
}

/// Early returns of tests that were not reported through that module, and ignored tests that are not a part of
/// another.
fn ways_out(source: &Source) -> Vec<String> {
    let (code, _) = scan(&source.text);
    let mut found = Vec::new();
    for (first, body) in bodies(&code) {
        let has = |word: &str| body.iter().any(|line| line.contains(word));
        if has("#[ignore") && has(PART) {
            continue;
        }
        for (at, line) in body.iter().enumerate() {
            let before = &body[at.saturating_sub(REASON_LINES)..=at];
            let is_led = before
                .iter()
                .any(|line| LEADS.iter().any(|lead| line.contains(lead)));
            let is_way_out = line.contains("#[ignore") || line.trim() == "return;";
            if is_way_out && !is_led {
                found.push(format!(
                    "{}:{}: a test is skipped, not through {SKIPPING}",
                    source.path,
                    first + at
                ));
            }
        }
    }
    found
}

#[test]
fn no_test_is_skipped_but_through_the_door() {
    let sources = all();
    for rule in [marks, ways_out] {
        assert_none(broken(&sources, rule));
    }
}

#[test]
fn a_test_that_slips_away_is_seen() {
    let count = |text: &str| broken(&[Source::of("tests/it/a.rs", text)], ways_out).len();
    let test = |body: &str| format!("#[actix_web::test]\nasync fn a() {{\n{body}\n    b();\n}}\n");
    assert_eq!(count(&test("    if !there() {\n        return;\n    }")), 1);
    assert_eq!(
        count(&test(
            "    if !python::installed(NAME) {\n        return;\n    }"
        )),
        0
    );
    assert_eq!(
        count(&test("    skipped::for_want_of(NAME, WHY);\n    return;")),
        0
    );
    assert_eq!(count("fn a() {\n    return;\n}\n"), 0);
    assert_eq!(count("#[test]\n#[ignore = \"slow\"]\nfn a() {\n}\n"), 1);
    let part =
        "#[test]\n#[ignore = \"a part\"]\nfn a() {\n    helper_argument(A);\n    return;\n}\n";
    assert_eq!(count(part), 0);
    assert_eq!(
        count("mod tests {\n    #[test]\n    fn a() {\n        return;\n    }\n}\n"),
        1
    );
    let cry = format!("fn a() {{ println!(\"{}PED a\") }}", "SKIP");
    assert_eq!(broken(&[Source::of("tests/it/a.rs", &cry)], marks).len(), 1);
    assert_eq!(broken(&[Source::of(SKIPPING, &cry)], marks).len(), 0);
}
