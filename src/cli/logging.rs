//! The log: one line an event to standard error, as `RUST_LOG` asks, save that libraries which would log what people
//! keep here stay below their cap whatever it asks (docs/operating.md#logs).

use std::panic::{PanicHookInfo, set_hook};

use env_logger::Logger;
use log::{Level, LevelFilter, Log, Metadata, Record};

/// The level of libraries that are not named below: debug and trace lines may carry payloads and headers.
const LIBRARY_CAP: LevelFilter = LevelFilter::Info;

/// Libraries with a cap of their own: rmcp quotes what agents send at every level, errors included, and `http::mcp` says
/// itself what matters; actix-http logs an error for
/// whatever a client sends that is no HTTP; the servers and the database's connections log implementation details at info.
const CAPS: [(&str, LevelFilter); 6] = [
    ("actix_http", LevelFilter::Off),
    ("actix_server", LevelFilter::Warn),
    ("tokio_postgres", LevelFilter::Warn),
    ("rmcp", LevelFilter::Off),
    ("rustls", LevelFilter::Warn),
    ("hyper", LevelFilter::Warn),
];

/// The workspace's own crates, which log no payload and have no cap.
const OWN: [&str; 3] = ["sextant", "sextant_actors", "sextant_formats"];

/// Begins to log. A second call changes nothing.
pub(crate) fn start(filter: &str) {
    let capped = Capped {
        inner: env_logger::Builder::new().parse_filters(filter).build(),
    };
    let level = capped.inner.filter();
    if log::set_boxed_logger(Box::new(capped)).is_ok() {
        log::set_max_level(level);
        set_hook(Box::new(log_panic));
    }
}

/// Logs the place of a panic and nothing of its text, which may quote what was being worked on.
fn log_panic(panic: &PanicHookInfo<'_>) {
    match panic.location() {
        Some(place) => log::error!("panicked at {}:{}", place.file(), place.line()),
        None => log::error!("panicked"),
    }
}

/// A logger behind the caps. A directive for one module of a library cannot lift them, which it could in the filter.
struct Capped {
    inner: Logger,
}

impl Log for Capped {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_within_cap(metadata.target(), metadata.level()) && self.inner.enabled(metadata)
    }

    /// Both names are asked: a record's target is whatever its author wrote.
    fn log(&self, record: &Record<'_>) {
        let module = record.module_path().unwrap_or(record.target());
        if is_within_cap(module, record.level()) && self.enabled(record.metadata()) {
            self.inner.log(record);
        }
    }

    fn flush(&self) {
        self.inner.flush();
    }
}

fn is_within_cap(target: &str, level: Level) -> bool {
    let library = target.split("::").next().unwrap_or(target);
    OWN.contains(&library) || level <= cap_of(library)
}

fn cap_of(library: &str) -> LevelFilter {
    let named = CAPS.iter().find(|(name, _)| *name == library);
    named.map_or(LIBRARY_CAP, |(_, cap)| *cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(filter: &str, target: &str, level: Level) -> bool {
        let capped = Capped {
            inner: env_logger::Builder::new().parse_filters(filter).build(),
        };
        capped.enabled(&Metadata::builder().target(target).level(level).build())
    }

    #[test]
    fn libraries_stay_below_their_caps_whatever_the_filter_says() {
        for (target, loudest) in [
            ("tokio_postgres::query", Level::Warn),
            ("actix_server::builder", Level::Warn),
            ("hyper::proto", Level::Warn),
            ("reqwest::connect", Level::Info),
            ("rustls::client", Level::Warn),
            ("actix_web::middleware", Level::Info),
        ] {
            for level in Level::iter() {
                let filter = format!("trace,{target}=trace");
                assert_eq!(
                    logs(&filter, target, level),
                    level <= loudest,
                    "{target} {level}"
                );
            }
        }
    }

    #[test]
    fn who_quotes_what_agents_send_or_lets_strangers_fill_the_log_says_nothing() {
        for level in Level::iter() {
            for target in ["rmcp::service", "actix_http::h1::dispatcher"] {
                let filter = format!("trace,{target}=trace");
                assert!(!logs(&filter, target, level), "{target} {level}");
            }
        }
    }

    #[test]
    fn our_own_lines_follow_the_filter() {
        assert!(logs("trace", "sextant::app", Level::Trace));
        assert!(logs(
            "sextant_actors=debug",
            "sextant_actors::tree",
            Level::Debug
        ));
        assert!(!logs("info", "sextant::app", Level::Debug));
        assert!(!logs("warn", "tokio_postgres", Level::Info));
    }
}
