//! The program: its exit code, and nothing else.

use std::io::{IsTerminal as _, stderr, stdout};
use std::process::ExitCode;

use sextant::cli::{self, Terminal};
use sextant::config::Environment;

fn main() -> ExitCode {
    let mut terminal = Terminal {
        is_watched: stderr().is_terminal(),
        out: &mut stdout(),
        err: &mut stderr(),
    };
    cli::run(
        std::env::args_os(),
        Environment::of_process(),
        &mut terminal,
    )
}
