//! The program: its allocator and its exit code, and nothing else.

use std::io::{IsTerminal as _, stderr, stdout};
use std::process::ExitCode;

use mimalloc::MiMalloc;
use sextant::cli::{self, Terminal};
use sextant::config::Environment;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

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
