//! Which secret opens which connection.
//!
//! A secret never shows in a message or a `Debug`.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::error::PushError;

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

/// The secrets that are known, in the order of their file.
pub(super) struct Secrets(Vec<(String, String)>);

/// Whether the secret file has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingFile {
    /// It is about to be made.
    IsEmpty,
    IsAnError,
}

impl Secrets {
    /// Those of a file, and for a single one of the `given` connections that of the environment.
    pub(super) fn read(
        given: &[String],
        file: Option<(&Path, MissingFile)>,
        environment: EnvironmentSecret,
    ) -> Result<Self, PushError> {
        let known = file.map(|(path, absent)| read_file(path, absent));
        let mut known = known.transpose()?.unwrap_or_default();
        if let ([only], Some(secret)) = (given, environment.0)
            && known.iter().all(|(id, _)| id != only)
        {
            known.push((only.clone(), secret.trim().to_owned()));
        }
        Ok(Self(known))
    }

    /// Whether each of the `given` connections can be opened.
    pub(super) fn check(&self, given: &[String]) -> Result<(), PushError> {
        given.iter().try_for_each(|id| match self.find(id) {
            None => Err(PushError::Secret(missing(id, given.len()))),
            Some(secret) if !is_secret(secret) => Err(PushError::Secret(malformed(id))),
            Some(_) => Ok(()),
        })
    }

    /// The connections whose secret is known and can be used.
    pub(super) fn ids(&self) -> Vec<String> {
        let usable = self.0.iter().filter(|(_, secret)| is_secret(secret));
        usable.map(|(id, _)| id.clone()).collect()
    }

    /// Takes over the secrets of connections that are not known yet; answers those that can be used.
    pub(super) fn learn(&mut self, now: Self) -> Vec<String> {
        let unknown = |id: &String| self.find(id).is_none();
        let new: Vec<_> = now.ids().into_iter().filter(unknown).collect();
        for id in &new {
            self.add(id.clone(), now.of(id).to_owned());
        }
        new
    }

    pub(super) fn add(&mut self, id: String, secret: String) {
        self.0.push((id, secret));
    }

    pub(super) fn of(&self, connection: &str) -> &str {
        self.find(connection).unwrap_or_default()
    }

    /// The last line of a connection is the newest.
    fn find(&self, connection: &str) -> Option<&str> {
        let mut newest = self.0.iter().rev();
        let (_, secret) = newest.find(|(id, _)| id == connection)?;
        Some(secret)
    }
}

/// What a header can carry.
fn is_secret(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
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

fn malformed(id: &str) -> String {
    format!(
        "the secret of connection {id} holds characters that no secret has: copy it again, or rotate it in the Console"
    )
}

fn read_file(path: &Path, absent: MissingFile) -> Result<Vec<(String, String)>, PushError> {
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && absent == MissingFile::IsEmpty => {
            return Ok(Vec::new());
        }
        text => text.map_err(|error| {
            PushError::Secret(format!("the secret file {shown} cannot be read: {error}"))
        })?,
    };
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

    fn read(given: &[&str], file: Option<&Path>, secret: Option<&str>) -> Result<Secrets, String> {
        let given = ids(given);
        let file = file.map(|path| (path, MissingFile::IsAnError));
        let secret = EnvironmentSecret(secret.map(str::to_owned));
        let read = Secrets::read(&given, file, secret).and_then(|secrets| {
            secrets.check(&given)?;
            Ok(secrets)
        });
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn the_environment_serves_a_single_connection() {
        let secrets = read(&["a"], None, Some("s\n")).unwrap();
        assert_eq!(secrets.of("a"), "s");
        let error = read(&["a", "b"], None, Some("s")).err().unwrap();
        assert!(
            error.contains("connection a") && error.contains("--secret-file"),
            "{error}"
        );
    }

    #[test]
    fn a_secret_that_no_header_could_carry_is_refused_and_not_shown() {
        for text in ["hunter2 hunter2", "hunter2\u{7}", "hünter2"] {
            let error = read(&["a"], None, Some(text)).err().unwrap();
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
        fs::write(&path, "# mine\na old\n\nb\ts2\na s1\n").unwrap();
        let secrets = read(&["a", "b"], Some(&path), None).unwrap();
        assert_eq!((secrets.of("a"), secrets.of("b")), ("s1", "s2"));
        fs::write(&path, "a s1\nhunter2\n").unwrap();
        let error = read(&["a"], Some(&path), None).err().unwrap();
        assert!(
            error.contains("line 2") && !error.contains("hunter2"),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_empty_only_if_it_is_to_be_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets");
        assert!(read(&[], Some(&path), None).is_err());
        let made = Secrets::read(
            &[],
            Some((&path, MissingFile::IsEmpty)),
            EnvironmentSecret(None),
        );
        assert!(made.unwrap().ids().is_empty());
    }
}
