//! app

use std::io::Write;

use crate::config::Config;

/// Serves until a signal ends it.
///
/// # Errors
/// When the service cannot start.
pub fn run(_config: Config, _out: &mut (dyn Write + Send)) -> Result<(), String> {
    Err("the service is not composed yet".into())
}
