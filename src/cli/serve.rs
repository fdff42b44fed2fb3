//! `sextant serve`: the configuration, the log, then the service until it is told to stop.

use std::process::ExitCode;

use sextant_actors::tree::TreePorts;

use super::{Terminal, logging, write_line};
use crate::app;
use crate::config::{Config, ConfigSources};

/// Serves until a signal ends it: success. What kept it from starting, or ended it, goes to the terminal's `err`: failure.
/// For `world`, see [`app::run`].
pub fn run(
    sources: &ConfigSources,
    terminal: &mut Terminal<'_>,
    world: impl FnOnce(TreePorts) -> TreePorts,
) -> ExitCode {
    let config = match Config::load(sources) {
        Ok(config) => config,
        Err(error) => return fail(&error, terminal),
    };
    logging::start(&config.log_filter);
    if let Some(dotenv) = sources.environment.dotenv() {
        dotenv.taken().for_each(|taken| log::info!("{taken}"));
        dotenv.warnings().for_each(|told| log::warn!("{told}"));
    }
    for notice in config.notices() {
        log::warn!("{notice}");
    }
    match app::run(config, terminal.out, world) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error, terminal),
    }
}

pub(super) fn fail(error: &dyn std::fmt::Display, terminal: &mut Terminal<'_>) -> ExitCode {
    write_line(terminal.err, &format!("sextant: {error}"));
    ExitCode::FAILURE
}
