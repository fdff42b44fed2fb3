//! A test that cannot run here says so aloud: on the real standard error, since the output of a test that passes is not shown.

use std::io::Write;

/// Says that a test did not run, for a reason that CI may have too, such as a missing right.
pub fn say(test: &str, why: &str) {
    let mut uncaptured = std::io::stderr();
    writeln!(uncaptured, "SKIPPED {test}: {why}").unwrap();
}

/// Says that a test's peer is absent; where CI runs, where it is installed, its absence is a failure.
#[expect(clippy::disallowed_methods, reason = "CI says so in the environment")]
pub fn for_want_of_a_peer(test: &str, why: &str) {
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "{test}: {why}"
    );
    say(test, why);
}
