//! The exit code of a push that was made.

use std::process::ExitCode;

/// Exit code when all went well but something was refused or not read.
const SOMETHING_REFUSED: u8 = 1;

pub(super) fn exit_code(is_all_stored: bool) -> ExitCode {
    match is_all_stored {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(SOMETHING_REFUSED),
    }
}
