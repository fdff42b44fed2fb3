//! Ctrl-C: what is under way is answered and told, then the push ends. A second one ends it at once.

use nix::sys::signal::{Signal, raise};

use crate::intake::StopRequest;

/// The request that Ctrl-C makes, listened to as long as the runtime lives.
pub(super) fn on_interrupt() -> StopRequest {
    let stop = StopRequest::default();
    let asked = stop.clone();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if asked.ask() {
                let _ends = raise(Signal::SIGTERM);
            }
        }
    });
    stop
}
