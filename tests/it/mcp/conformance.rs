//! The protocol's own conformance suite, at every revision that is served.
//!
//! It runs three times: against the service as it is, and against its adapter with the suite's fixture tools behind it, since many
//! scenarios call tools by a name that no product has; that once as it is, and once passing every message to rmcp. What fails, and why, is listed in
//! `tests/peers/conformance`; a listed check that passes fails the test too.

mod fixtures;
mod shipped;
mod suite;

use std::net::SocketAddr;
use std::sync::Arc;

use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::ToolCalls;

use super::support::Port;
use crate::support::TestApp;
use crate::support::keyed_proxy::KeyedProxy;
use fixtures::FixtureToolService;
use suite::{Expected, Report};

const ALWAYS: &str = "expected_failures.yml";
const WITHOUT_FIXTURES: &str = "expected_failures_without_fixtures.yml";

const SECTORS: [&str; 6] = ["finance", "mail", "calendar", "contacts", "health", "home"];

/// The revisions that are served.
const REVISIONS: [&str; 3] = ["2026-07-28", "2025-11-25", "2025-06-18"];
/// A scenario, and how many of its checks pass at each revision; 0 where the revision has no such scenario.
type Passed = (&'static str, [usize; 3]);

/// Scenarios that pass whatever the tools are.
const OF_THE_ADAPTER: [Passed; 13] = [
    ("server-initialize", [0, 3, 3]),
    ("server-session-lifecycle", [0, 3, 3]),
    ("ping", [0, 2, 2]),
    ("tools-list", [4, 3, 2]),
    ("server-sse-multiple-streams", [1, 2, 0]),
    ("server-sse-polling", [0, 2, 0]),
    ("dns-rebinding-protection", [2, 2, 0]),
    ("http-header-validation", [14, 0, 0]),
    ("caching", [4, 0, 0]),
    ("input-required-result-unsupported-methods", [2, 0, 0]),
    ("input-required-result-ignore-extra-params", [1, 0, 0]),
    ("input-required-result-missing-input-response", [1, 0, 0]),
    ("input-required-result-validate-input", [3, 0, 0]),
];
const OF_THE_SERVICE: [Passed; 1] = [("server-stateless", [24, 0, 0])];
const OF_THE_FIXTURES: [Passed; 5] = [
    ("server-stateless", [26, 0, 0]),
    ("tools-call-simple-text", [2, 2, 2]),
    ("tools-call-error", [2, 2, 2]),
    ("json-schema-2020-12", [8, 8, 0]),
    ("http-custom-header-server-validation", [10, 0, 0]),
];

/// One run for each revision; what failed in each was expected.
async fn runs(port: SocketAddr, key: &str, expected: &Expected) -> Vec<Report> {
    let proxy = KeyedProxy::start(port, key).await;
    let mut reports = Vec::new();
    for revision in REVISIONS {
        reports.push(suite::run(proxy.address, revision, expected).await);
    }
    reports
}

fn assert_passed(reports: &[Report], scenarios: &[Passed]) {
    for (scenario, checks) in scenarios {
        let counted = reports.iter().zip(checks);
        for (report, checks) in counted.filter(|(_, checks)| **checks > 0) {
            report.has_passed(scenario, *checks);
        }
    }
}

#[actix_web::test]
async fn the_service_conforms_at_every_revision() {
    if !suite::installed("the_service_conforms_at_every_revision") {
        return;
    }
    let app = TestApp::start().await;
    let key = app.key_of("suite", &SECTORS).await;
    let expected = Expected::of(&[ALWAYS, WITHOUT_FIXTURES]);
    let reports = runs(app.agents, &key, &expected).await;
    expected.all_occurred(&reports);
    assert_passed(&reports, &OF_THE_ADAPTER);
    assert_passed(&reports, &OF_THE_SERVICE);
}

/// A port that offers the fixtures, and the key of an agent.
async fn with_fixtures() -> (Port, String) {
    let around = |tool_service| Arc::new(FixtureToolService(tool_service)) as Arc<dyn ToolCalls>;
    let port = Port::start_offering(fixtures::with_fixtures(), TreeLimits::default(), around).await;
    let key = port.agent("suite", &SECTORS).await.key.unwrap();
    (port, key)
}

async fn fixtures_conform(address: SocketAddr, key: &str) {
    let expected = Expected::of(&[ALWAYS]);
    let reports = runs(address, key, &expected).await;
    expected.all_occurred(&reports);
    assert_passed(&reports, &OF_THE_ADAPTER);
    assert_passed(&reports, &OF_THE_FIXTURES);
}

#[actix_web::test]
async fn the_adapter_with_the_fixtures_conforms_at_every_revision() {
    if !suite::installed("the_adapter_with_the_fixtures_conforms_at_every_revision") {
        return;
    }
    let (port, key) = with_fixtures().await;
    fixtures_conform(port.address, &key).await;
    assert!(port.direct_calls.count() > 0);
    port.stop().await;
}

#[actix_web::test]
async fn the_adapter_that_passes_everything_to_rmcp_conforms_at_every_revision() {
    if !suite::installed("the_adapter_that_passes_everything_to_rmcp_conforms_at_every_revision") {
        return;
    }
    let (port, key) = with_fixtures().await;
    let rmcp = port.passing_to_rmcp();
    fixtures_conform(rmcp.address, &key).await;
    assert_eq!(port.direct_calls.count(), 0);
    rmcp.stop().await;
    port.stop().await;
}
