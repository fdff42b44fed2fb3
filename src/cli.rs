//! The command line: which command, with which options, and the exit code it ends with.
//!
//! Knows the commands and prints through what it is given; does not know how any command does its work.

mod client;
mod counted;
pub(crate) mod demo;
pub(crate) mod doctor;
mod exchange;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod key;
pub(crate) mod logging;
pub mod push;
pub mod serve;
mod serve_options;
pub(crate) mod service;
mod table;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use indicatif::ProgressDrawTarget;

use self::terminal::{EXIT_INTERRUPTED, EXIT_NOT_DONE, write_line};
use crate::config::Environment;

pub(crate) use serve_options::ServeOptions;
pub use terminal::Terminal;

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
    /// Show the whole of it at work in a throw-away folder: a sample household, an agent, three questions
    Demo(demo::DemoArguments),
    /// Push files you have through the ingest route of a running service
    ///
    /// The same files pushed again change nothing. What a file names itself, such as an event by its UID, is one record: a later
    /// push under the same name replaces it. A mail under the Message-ID of another one, of another subject, sender, time or
    /// other recipients, is stored beside it.
    Push(push::PushArguments),
    /// Save everything that is stored, or one sector of it, as one zip
    Export(export::ExportArguments),
    /// Take an export back into a store without rows
    Import(import::ImportArguments),
    /// Check what stands between a hosted agent and an answer of the running service
    Doctor(doctor::DoctorArguments),
    /// Look after the key that credentials of sources are sealed with
    Key(key::KeyArguments),
}

/// Runs the command that `arguments` (the program's name first) ask for, until it ends.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(answer) => return say(&answer, terminal),
    };
    match command_line.command {
        None => start(command_line.serve, environment, terminal),
        Some(Command::Serve(options)) => start(options, environment, terminal),
        Some(Command::Demo(arguments)) => demo::run(&arguments, environment, terminal),
        Some(Command::Push(arguments)) => push_files(&arguments, environment, terminal),
        Some(Command::Export(arguments)) => export::run(arguments, environment, terminal),
        Some(Command::Import(arguments)) => import::run(&arguments, environment, terminal),
        Some(Command::Doctor(arguments)) => doctor::run(&arguments, environment, terminal),
        Some(Command::Key(arguments)) => key::run(&arguments, environment, terminal),
    }
}

fn start(options: ServeOptions, environment: Environment, terminal: &mut Terminal<'_>) -> ExitCode {
    match options.sources(environment) {
        Ok(sources) => serve::run(&sources, terminal, |ports| ports),
        Err(error) => serve::fail(&error, terminal),
    }
}

fn push_files(
    arguments: &push::PushArguments,
    environment: Environment,
    terminal: &mut Terminal<'_>,
) -> ExitCode {
    let progress = terminal.is_watched.then(ProgressDrawTarget::stderr);
    push::run(arguments, environment, &mut *terminal.out, progress).unwrap_or_else(|error| {
        write_line(terminal.err, &format!("sextant: {error}"));
        ExitCode::from(EXIT_NOT_DONE)
    })
}

/// Help and version go to `out` and are a success; what could not be understood goes to `err`.
fn say(answer: &clap::Error, terminal: &mut Terminal<'_>) -> ExitCode {
    let text = answer.render().to_string();
    if answer.use_stderr() {
        write_line(terminal.err, &text);
        return ExitCode::from(EXIT_NOT_DONE);
    }
    write_line(terminal.out, &text);
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(arguments: &[&str]) -> (ExitCode, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let arguments = std::iter::once("sextant")
            .chain(arguments.iter().copied())
            .map(Into::into);
        let mut terminal = Terminal {
            out: &mut out,
            err: &mut err,
            is_watched: false,
        };
        let code = run(arguments, Environment::default(), &mut terminal);
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
        for word in [
            "serve",
            "demo",
            "push",
            "export",
            "import",
            "doctor",
            "key",
            "--config <FILE>",
            "--data-dir <DIR>",
            "--version",
        ] {
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
        assert_eq!((code, out.as_str()), (ExitCode::from(EXIT_NOT_DONE), ""));
        assert!(err.contains("--data-dir"), "{err}");
    }

    #[test]
    fn a_configuration_that_cannot_be_used_ends_before_anything_starts() {
        let (code, out, err) = said(&["serve", "--config", "/nowhere/config.toml"]);
        assert_eq!((code, out.as_str()), (ExitCode::FAILURE, ""));
        assert!(err.contains("/nowhere/config.toml"), "{err}");
    }
}
