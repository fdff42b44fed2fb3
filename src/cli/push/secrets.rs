//! Which secret opens which connection.
//!
//! A secret never shows in a message or a `Debug`.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use super::PushError;

/// `SEXTANT_INGEST_SECRET`, as the configuration has read it.
#[derive(Clone, Default)]
pub struct EnvironmentSecret(pub Option<String>);

impl fmt::Debug for EnvironmentSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "EnvironmentSecret(set)"
        } else {
            "EnvironmentSecret(unset)"
        })
    }
}

/// A secret for each connection of the push.
pub struct Secrets(HashMap<String, String>);

impl Secrets {
    /// The secrets of all `connections`: from the file, or for a single one from the environment.
    pub fn read(
        connections: &[String],
        file: Option<&Path>,
        environment: EnvironmentSecret,
    ) -> Result<Self, PushError> {
        let mut known = file.map(read_file).transpose()?.unwrap_or_default();
        if let ([only], Some(secret)) = (connections, environment.0) {
            known
                .entry(only.clone())
                .or_insert_with(|| secret.trim().to_owned());
        }
        for id in connections {
            match known.get(id) {
                None => return Err(PushError::Secret(missing(id, connections.len()))),
                Some(secret) if !secret.bytes().all(|byte| byte.is_ascii_graphic()) => {
                    return Err(PushError::Secret(malformed(id)));
                }
                Some(_) => {}
            }
        }
        Ok(Self(known))
    }

    pub fn of(&self, connection: &str) -> &str {
        self.0
            .get(connection)
            .map(String::as_str)
            .unwrap_or_default()
    }
}

fn missing(id: &str, connections: usize) -> String {
    match connections {
        1 => format!(
            "no secret for connection {id}: set SEXTANT_INGEST_SECRET, or give --secret-file"
        ),
        _ => format!(
            "no secret for connection {id}: several connections need --secret-file, with a line `{id} <secret>`"
        ),
    }
}

/// No header could carry it.
fn malformed(id: &str) -> String {
    format!(
        "the secret of connection {id} holds characters that no secret has: copy it again, or rotate it in the Console"
    )
}

fn read_file(path: &Path) -> Result<HashMap<String, String>, PushError> {
    let shown = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| {
        PushError::Secret(format!("the secret file {shown} cannot be read: {error}"))
    })?;
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let (id, secret) = line.split_once(char::is_whitespace).ok_or_else(|| {
                PushError::Secret(format!(
                    "line {number} of {shown} is not `<connection id> <secret>`"
                ))
            })?;
            Ok((id.to_owned(), secret.trim().to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn the_environment_serves_a_single_connection() {
        let secret = EnvironmentSecret(Some("s\n".to_owned()));
        assert_eq!(
            Secrets::read(&ids(&["a"]), None, secret.clone())
                .unwrap()
                .of("a"),
            "s"
        );
        let error = Secrets::read(&ids(&["a", "b"]), None, secret)
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("connection a") && error.contains("--secret-file"),
            "{error}"
        );
    }

    #[test]
    fn a_secret_that_no_header_could_carry_is_refused_and_not_shown() {
        for text in ["hunter2 hunter2", "hunter2\u{7}", "hünter2"] {
            let secret = EnvironmentSecret(Some(text.to_owned()));
            let error = Secrets::read(&ids(&["a"]), None, secret)
                .err()
                .unwrap()
                .to_string();
            assert!(
                error.contains("connection a") && !error.contains("nter2"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_file_serves_several_and_a_bad_line_is_named_but_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets");
        std::fs::write(&path, "# mine\na s1\n\nb\ts2\n").unwrap();
        let secrets =
            Secrets::read(&ids(&["a", "b"]), Some(&path), EnvironmentSecret(None)).unwrap();
        assert_eq!((secrets.of("a"), secrets.of("b")), ("s1", "s2"));
        std::fs::write(&path, "a s1\nhunter2\n").unwrap();
        let error = Secrets::read(&ids(&["a"]), Some(&path), EnvironmentSecret(None))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("line 2") && !error.contains("hunter2"),
            "{error}"
        );
    }
}
