//! The fixtures are in the tests alone: the shipped program has none of them in its list or in its bytes.

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::fixtures;
use crate::mcp::support::{Client, json_of};
use crate::process::Setup;
use crate::support::users::in_scratch;

/// The tools in `tools/list`, in this order.
const SEVEN: [&str; 7] = [
    "describe_context",
    "get_schema",
    "query",
    "get_record",
    "fetch_live",
    "list_actions",
    "invoke_action",
];

#[test]
fn the_program_lists_the_seven_tools_and_no_other() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let key = service.key("reader", &["finance"]).await;
        let client = Client::new(&service.agents, Some(key));
        let (status, listed) = json_of(client.modern("tools/list", json!({}))).await;
        let tools = listed["result"]["tools"].as_array().unwrap();
        let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!((status, json!(names)), (200, json!(SEVEN)));
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn no_fixture_is_in_the_programs_bytes() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_sextant")).unwrap();
    let program = String::from_utf8_lossy(&program);
    for tool in SEVEN {
        assert!(program.contains(tool), "{tool} is there, and not found");
    }
    for fixture in fixtures::names() {
        assert!(!program.contains(fixture), "{fixture}");
    }
}

/// The program built for tests is the one that is shipped: no feature and no profile adds to it.
#[test]
fn the_program_has_no_features_that_could_add_a_fixture() {
    let manifest = include_str!("../../../../Cargo.toml");
    assert!(!manifest.lines().any(|line| line.trim() == "[features]"));
}
