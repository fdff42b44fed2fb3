//! Connections that `--create` makes or `--adopt` takes over, and the file that keeps their secrets.
//!
//! A secret is shown once, so it is in the file before it is used, and a connection whose secret could not be kept
//! is removed again. Nobody but the owner may read the file. Of several pushes with one file, one makes connections at
//! a time, and sees first what the others have made.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::error::PushError;
use super::server::{Created, PushServer};
use crate::catalog::Table;
use crate::intake::label;

/// Read and written by its owner alone.
const OWNER_ONLY: u32 = 0o600;

/// The file of the secrets, held against other pushes until this is dropped.
pub(super) struct Keeper {
    path: PathBuf,
    file: File,
}

impl Keeper {
    /// Opens the file and waits for its lock.
    pub(super) async fn of(path: PathBuf) -> Result<Self, PushError> {
        let opened = tokio::task::spawn_blocking({
            let path = path.clone();
            move || open(&path).and_then(lock)
        });
        let opened = opened
            .await
            .unwrap_or_else(|gone| Err(io::Error::other(gone)));
        let file = opened.map_err(|error| {
            let shown = path.display();
            PushError::Secret(format!(
                "the secret file {shown} cannot be written, so no connection is made: {error}"
            ))
        })?;
        Ok(Self { path, file })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a connection and keeps its secret.
    pub(super) async fn create(
        mut self,
        server: &PushServer,
        table: &Table,
    ) -> Result<Created, PushError> {
        let created = server.create(table, &label(table)).await?;
        let Err(error) = append(&mut self.file, &created) else {
            return Ok(created);
        };
        let (id, target) = (&created.id, table.target());
        let outcome = match server.remove(id).await {
            true => "the connection was removed again".to_owned(),
            false => format!(
                "connection {id} is there without anybody knowing its secret: disconnect it in the Console"
            ),
        };
        let shown = self.path.display();
        Err(PushError::Secret(format!(
            "the secret of a new connection for {target} could not be kept in {shown} ({error}); {outcome}"
        )))
    }

    /// Gives a connection a new secret and keeps it.
    pub(super) async fn adopt(
        mut self,
        server: &PushServer,
        connection: &str,
    ) -> Result<Created, PushError> {
        let rotated = server.rotate(connection).await?;
        let kept = append(&mut self.file, &rotated);
        kept.map(|()| rotated).map_err(|error| {
            let shown = self.path.display();
            PushError::Secret(format!(
                "the new secret of connection {connection} could not be kept in {shown} ({error}), and its old one is refused \
                 from now on: make room for the file, then push again with --adopt"
            ))
        })
    }
}

/// Locks the file; a pipe cannot be locked.
fn lock(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        file.lock()?;
    }
    Ok(file)
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let file = options.read(true).append(true).create(true);
    let file = file.mode(OWNER_ONLY).open(path)?;
    if file.metadata()?.is_file() {
        file.set_permissions(fs::Permissions::from_mode(OWNER_ONLY))?;
    }
    Ok(file)
}

/// In one write, so that two programs that append do not mix their lines.
fn append(file: &mut File, created: &Created) -> io::Result<()> {
    let begin = if ends_in_a_line(file)? { "" } else { "\n" };
    let line = format!("{begin}{} {}\n", created.id, created.secret);
    file.write_all(line.as_bytes())?;
    file.sync_all()
}

fn ends_in_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn created(id: &str) -> Created {
        Created {
            id: id.to_owned(),
            secret: format!("secret-of-{id}"),
        }
    }

    #[test]
    fn a_secret_is_appended_on_a_line_of_its_own_and_only_the_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets");
        fs::write(&path, "a 1").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        for id in ["b", "c"] {
            append(&mut open(&path).unwrap(), &created(id)).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "a 1\nb secret-of-b\nc secret-of-c\n");
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, OWNER_ONLY);
    }
}
