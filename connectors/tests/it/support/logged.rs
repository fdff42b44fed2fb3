//! Every line that anything in this process logs, at any level. There is one logger a process: the tests share it.

use std::sync::{Mutex, Once};

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct KeepingLogger;

impl log::Log for KeepingLogger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        LINES.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

/// From now on all is kept.
pub fn keep() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        log::set_logger(&KeepingLogger).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
    });
    log::trace!("the logger is there");
}

/// That none of these stands in what was logged so far.
pub fn assert_unlogged(secrets: &[&str]) {
    let logged = LINES.lock().unwrap().join("\n");
    assert!(logged.contains("the logger is there"));
    for secret in secrets {
        assert!(!logged.contains(secret), "{secret}");
    }
}
