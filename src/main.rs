//! The program: its exit code, and nothing else.

use std::process::ExitCode;

use sextant::cli;
use sextant::config::Environment;

fn main() -> ExitCode {
    let environment = Environment::of_process();
    cli::run(
        std::env::args_os(),
        environment,
        &mut std::io::stdout(),
        &mut std::io::stderr(),
    )
}
