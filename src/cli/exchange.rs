//! What export and import share: the progress bar, the texts of lost connections, and the service's own text of a refusal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reqwest::Response;
use serde_json::Value;

const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// A progress bar of `template`, up to `bytes` if that is known; hidden without a target.
pub(super) fn bar(
    target: Option<ProgressDrawTarget>,
    bytes: Option<u64>,
    template: &str,
) -> ProgressBar {
    let target = target.unwrap_or_else(ProgressDrawTarget::hidden);
    let bar = ProgressBar::with_draw_target(bytes, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(BAR_INTERVAL);
    bar
}

/// Why there is no answer, or no whole one.
pub(super) fn lost(cause: &reqwest::Error) -> String {
    let words = match () {
        () if cause.is_connect() => "nothing answers any more",
        () if cause.is_timeout() => "the service said nothing for too long",
        () => "the service ended it; its log says why",
    };
    words.to_owned()
}

/// The service's own words, else the status.
pub(super) async fn refusal(answer: Response) -> String {
    let status = answer.status();
    let said: Value = answer.json().await.unwrap_or_default();
    let words = said.get("message").and_then(Value::as_str);
    words.map_or_else(|| status.to_string(), str::to_owned)
}
