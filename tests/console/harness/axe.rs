//! The rules of accessibility that a program can check: WCAG 2.2 A and AA, and good practice.

use serde_json::json;

use super::browser::Browser;

const AXE: &str = include_str!("../../vendor/axe.min.js");
const RUN: &str = "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })\
    .then((told) => JSON.stringify(told.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`))))";

/// What breaks a rule on the screen as it is now.
pub async fn violations(browser: &Browser) -> Vec<String> {
    // Colours that change do so with the next frames.
    let frames = "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done(true)))";
    browser
        .client
        .execute_async(frames, Vec::new())
        .await
        .unwrap();
    // Through the browser's own protocol: the page's policy forbids scripts that are not its own.
    let script = json!({ "expression": format!("{AXE};{RUN}"), "awaitPromise": true });
    let told = browser.command("Runtime.evaluate", script).await;
    let told = told["result"]["value"]
        .as_str()
        .unwrap_or_else(|| panic!("{told}"));
    serde_json::from_str(told).unwrap()
}
