//! What commands print through, and the codes that they end with.

use std::io::Write;

/// The exit code of a command line that cannot be understood, as clap has it, and of a push, an export or an import that could not be made.
pub(super) const EXIT_NOT_DONE: u8 = 2;
/// The exit code of a program that Ctrl-C ended, as shells have it.
pub(super) const EXIT_INTERRUPTED: u8 = 130;

/// Where a command prints.
pub struct Terminal<'a> {
    /// What was asked for.
    pub out: &'a mut (dyn Write + Send),
    /// What went wrong, and how far a command has come.
    pub err: &'a mut (dyn Write + Send),
    /// Whether somebody looks at `err`; without, no progress is shown.
    pub is_watched: bool,
}

/// A reader that has gone away is no fault of the command.
pub(super) fn write_line(target: &mut (impl Write + ?Sized), line: &str) {
    let _gone = writeln!(target, "{}", line.trim_end());
}
