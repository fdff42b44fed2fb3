//! Reading `config.toml`: size, syntax, and that every key is a known one.

use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use toml::Table;

use super::error::ConfigError;
use super::settings;

/// The largest file that is read as a configuration, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The settings a file gives, each under a known key.
///
/// # Errors
/// When the file cannot be read, is no TOML, or names a setting that there is not.
pub(super) fn read(path: &Path) -> Result<Table, ConfigError> {
    let unreadable = |cause| ConfigError::Unreadable {
        file: path.into(),
        cause,
    };
    let table = parse(path, &text_of(path).map_err(unreadable)?)?;
    match table.keys().find(|key| !is_known(key)) {
        None => Ok(table),
        Some(key) => Err(ConfigError::UnknownKey {
            file: path.into(),
            key: key.clone(),
            nearest: settings::nearest_key(key),
        }),
    }
}

fn is_known(key: &str) -> bool {
    key == settings::PROVIDERS || settings::ALL.iter().any(|setting| setting.key == key)
}

fn text_of(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            "it is larger than 1 MiB",
        ));
    }
    Ok(text)
}

/// The parser's own report quotes the line, which may hold a password: only its message and the line's number go on.
fn parse(path: &Path, text: &str) -> Result<Table, ConfigError> {
    text.parse::<Table>().map_err(|error| {
        let before = error
            .span()
            .and_then(|span| text.get(..span.start))
            .unwrap_or_default();
        ConfigError::Malformed {
            file: path.into(),
            line: before.matches('\n').count() + 1,
            message: error.message().to_owned(),
        }
    })
}
