//! `sextant serve`: the configuration, the log, then the service until it is told to stop.

use std::io::Write;
use std::process::ExitCode;

use super::{logging, write_line};
use crate::app;
use crate::config::{Config, ConfigSources};

/// Serves until a signal ends it: success. What kept it from starting, or ended it, goes to `err`: failure.
pub(super) fn run(sources: ConfigSources, out: &mut dyn Write, err: &mut dyn Write) -> ExitCode {
    let config = match Config::load(&sources) {
        Ok(config) => config,
        Err(error) => return fail(&error, err),
    };
    logging::start(&config.log_filter);
    for notice in config.notices() {
        log::warn!("{notice}");
    }
    match app::run(config, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error, err),
    }
}

fn fail(error: &dyn std::fmt::Display, err: &mut dyn Write) -> ExitCode {
    write_line(err, &format!("sextant: {error}"));
    ExitCode::FAILURE
}
