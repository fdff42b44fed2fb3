//! The rules of accessibility that a program can check: WCAG 2.2 A and AA, and good practice.

use serde_json::json;

use super::browser::{Browser, NARROW, NARROWEST, WIDE};

const AXE: &str = include_str!("../../vendor/axe.min.js");
const RUN: &str = "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })\
    .then((told) => JSON.stringify(told.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`))))";

/// What breaks a rule on the screen as it is now.
pub async fn violations(browser: &Browser) -> Vec<String> {
    // Colours that change do so with the next frames, and what inherits them after that; what is hidden may never end its change.
    let frames = "const [done] = arguments; const isChanging = () => document.getAnimations().some((own) => own instanceof CSSTransition); \
        const settle = (left) => requestAnimationFrame(() => (left > 0 && isChanging() ? settle(left - 1) : done(true))); requestAnimationFrame(() => settle(30))";
    browser
        .client
        .execute_async(frames, Vec::new())
        .await
        .unwrap();
    // Through the browser's own protocol: the page's policy forbids scripts that are not its own.
    // The same page may be looked at again.
    let there = json!({ "expression": "typeof axe" });
    let there = browser.command("Runtime.evaluate", there).await;
    if there["result"]["value"] == "undefined" {
        let load = json!({ "expression": AXE });
        browser.command("Runtime.evaluate", load).await;
    }
    let script = json!({ "expression": RUN, "awaitPromise": true });
    let told = browser.command("Runtime.evaluate", script).await;
    let told = told["result"]["value"]
        .as_str()
        .unwrap_or_else(|| panic!("{told}"));
    serde_json::from_str(told).unwrap()
}

/// Asserts that nothing on the screen as it is now breaks a rule or scrolls sideways, at each width and in each theme.
pub async fn everywhere(browser: &Browser, what: &str) {
    for width in [WIDE, NARROW, NARROWEST] {
        browser.set_width(width).await;
        for theme in ["light", "dark"] {
            browser.set_theme(theme).await;
            let violations = violations(browser).await;
            assert!(
                violations.is_empty(),
                "{what} {width} {theme}: {violations:#?}"
            );
        }
        let sideways = "return document.documentElement.scrollWidth > innerWidth";
        let sideways = browser.run(sideways, vec![]).await;
        assert_eq!(sideways, false, "{what} scrolls sideways at {width}");
    }
    browser.set_width(WIDE).await;
}
