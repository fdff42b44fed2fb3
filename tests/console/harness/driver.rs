//! chromedriver: started once for the test process, and ended with it, browsers included.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::watchdog::Watchdog;

/// What the driver prints when it listens; the port follows.
const STARTED: &str = "ChromeDriver was started successfully on port ";

struct Driver {
    address: String,
    _home: TempDir,
    /// Whatever still runs in the home when the test process has ended, is ended.
    _watchdog: Watchdog,
}

/// The driver's address, or `None` where it or the browser is not installed.
pub fn address() -> Option<&'static str> {
    static DRIVER: OnceLock<Option<Driver>> = OnceLock::new();
    let driver = DRIVER.get_or_init(start).as_ref()?;
    Some(&driver.address)
}

fn start() -> Option<Driver> {
    let version = Command::new("chromium").arg("--version").output().ok()?;
    assert!(version.status.success(), "{version:?}");
    let home = tempfile::Builder::new().prefix("sx").tempdir().unwrap();
    let watchdog = Watchdog::over(home.path());
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .current_dir(home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    let port =
        lines.find_map(|line| Some(line.strip_prefix(STARTED)?.trim_end_matches('.').to_owned()));
    // It goes on writing to the pipe, which must not fill.
    std::thread::spawn(move || lines.for_each(drop));
    Some(Driver {
        address: format!("http://127.0.0.1:{}", port.unwrap()),
        _home: home,
        _watchdog: watchdog,
    })
}
