//! The one way in which a test that lacks something here (a right, files, a program) is skipped. The reason goes to
//! the real standard error, since the output of a test that passes is not shown; where CI runs, `.ci/run` has
//! installed all of it, so its absence is a failure.

use std::io::Write;

/// Reports that a test, or a part of one, does not run because `what` is missing; fails in CI.
#[expect(clippy::disallowed_methods, reason = "CI says so in the environment")]
#[track_caller]
pub fn for_want_of(test: &str, what: &str) {
    let is_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    skip(test, what, is_ci, &mut std::io::stderr());
}

#[track_caller]
fn skip(test: &str, what: &str, is_ci: bool, told: &mut impl Write) {
    assert!(!is_ci, "{test}: {what}");
    writeln!(told, "SKIPPED {test}: {what}").unwrap();
}

#[test]
fn what_is_skipped_is_said() {
    let mut told = Vec::new();
    skip("a_test", "no disk", false, &mut told);
    assert_eq!(
        String::from_utf8(told).unwrap(),
        "SKIPPED a_test: no disk\n"
    );
}

#[test]
#[should_panic(expected = "a_test: no disk")]
fn nothing_is_skipped_where_ci_runs() {
    skip("a_test", "no disk", true, &mut Vec::new());
}
