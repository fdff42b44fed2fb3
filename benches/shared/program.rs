//! The program as a process of its own.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

/// Of this process's environment it only gets `PATH`.
#[expect(
    clippy::disallowed_methods,
    reason = "PostgreSQL's programs are found as the service finds them"
)]
pub fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(home).env("HOME", home);
    let variables = ["PATH", "PG_BIN_DIR"].map(|name| (name, std::env::var_os(name)));
    for (name, value) in variables {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::null());
    command
}
