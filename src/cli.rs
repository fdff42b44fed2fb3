//! The command line: which command, with which options, and the exit code it ends with.
//!
//! Knows the commands and prints through what it is given; does not know how any command does its work.

pub mod logging;
pub mod push;
mod serve;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::config::{ConfigSources, Environment};

/// The file that is read when none is named, if it is there.
const CONFIG_FILE: &str = "config.toml";

/// The exit code of a command line that cannot be understood, as clap has it.
const EXIT_USAGE: u8 = 2;

/// Serves one person's data to AI agents through grants, and witnesses every call.
///
/// Without a command it serves: a private database is started in the data directory, both ports are opened on this
/// computer, and one line says where they are. No configuration is needed.
#[derive(Debug, Parser)]
#[command(name = "sextant", version, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the service (what happens without a command, too)
    Serve(ServeOptions),
    /// Send files you have to a push connection: calendars, bank statements, records
    Push(push::Arguments),
}

/// The options of `sextant serve`.
#[derive(Args, Clone, Debug, Default)]
pub struct ServeOptions {
    /// Read settings from FILE [default: config.toml in this folder, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Keep everything in DIR [default: /var/lib/sextant for root, else your data folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl ServeOptions {
    fn sources(self, environment: Environment) -> ConfigSources {
        let present = || Path::new(CONFIG_FILE).is_file().then(|| CONFIG_FILE.into());
        ConfigSources {
            file: self.config.or_else(present),
            data_dir: self.data_dir,
            environment,
        }
    }
}

/// Runs the command that `arguments` (the program's name first) ask for, until it ends.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: Environment,
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
) -> ExitCode {
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(answer) => return say(&answer, out, err),
    };
    match command_line.command {
        None => serve::run(command_line.serve.sources(environment), out, err),
        Some(Command::Serve(options)) => serve::run(options.sources(environment), out, err),
        Some(Command::Push(arguments)) => push_files(&arguments, &environment, out, err),
    }
}

/// Progress is shown to a person, not to a pipe.
fn push_files(
    arguments: &push::Arguments,
    environment: &Environment,
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
) -> ExitCode {
    let secret = environment.ingest_secret().map(|secret| secret.expose().to_owned());
    let mut terminal = std::io::stderr();
    let progress: Option<&mut (dyn Write + Send)> = match terminal.is_terminal() {
        true => Some(&mut terminal),
        false => None,
    };
    match push::run(arguments, push::EnvironmentSecret(secret), out, progress) {
        Ok(code) => code,
        Err(error) => {
            write_line(err, &format!("sextant: {error}"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// Help and version go to `out` and are a success; what could not be understood goes to `err`.
fn say(answer: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> ExitCode {
    let text = answer.render().to_string();
    if answer.use_stderr() {
        write_line(err, &text);
        return ExitCode::from(EXIT_USAGE);
    }
    write_line(out, &text);
    ExitCode::SUCCESS
}

/// A reader that has gone away is no fault of the command.
fn write_line(target: &mut dyn Write, line: &str) {
    let _gone = writeln!(target, "{}", line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(arguments: &[&str]) -> (ExitCode, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let arguments = std::iter::once("sextant")
            .chain(arguments.iter().copied())
            .map(Into::into);
        let code = run(arguments, Environment::default(), &mut out, &mut err);
        (
            code,
            String::from_utf8(out).unwrap(),
            String::from_utf8(err).unwrap(),
        )
    }

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory as _;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn help_names_every_command_and_option() {
        let (code, out, err) = said(&["--help"]);
        assert_eq!((code, err.as_str()), (ExitCode::SUCCESS, ""));
        for word in ["serve", "--config <FILE>", "--data-dir <DIR>", "--version"] {
            assert!(out.contains(word), "{out} lacks {word}");
        }
    }

    #[test]
    fn the_version_is_the_packages() {
        assert_eq!(
            said(&["--version"]).1.trim(),
            concat!("sextant ", env!("CARGO_PKG_VERSION"))
        );
    }

    #[test]
    fn what_is_not_understood_is_refused_with_the_nearest() {
        let (code, out, err) = said(&["--data-dri", "/x"]);
        assert_eq!((code, out.as_str()), (ExitCode::from(EXIT_USAGE), ""));
        assert!(err.contains("--data-dir"), "{err}");
    }

    #[test]
    fn a_configuration_that_cannot_be_used_ends_before_anything_starts() {
        let (code, out, err) = said(&["serve", "--config", "/nowhere/config.toml"]);
        assert_eq!((code, out.as_str()), (ExitCode::FAILURE, ""));
        assert!(err.contains("/nowhere/config.toml"), "{err}");
    }
}
