//! Connections that `--create` makes, and the file that keeps their secrets.
//!
//! A secret is shown once, so it is in the file before it is used, and a connection whose secret could not be kept
//! is removed again. Nobody but the owner may read the file.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use super::PushError;
use super::server::{Created, Server};
use crate::catalog::{self, Table};

/// Read and written by its owner alone.
const OWNER_ONLY: u32 = 0o600;

/// The table of a record, if a connection can be made for it.
pub fn pushable(target: &str) -> Option<&'static Table> {
    catalog::by_target(target).filter(|table| table.is_pushable())
}

/// What a connection is called in the Console: `Mail from files`, `Finance accounts from files`.
pub fn label(table: &Table) -> String {
    let sector = table.sector.name();
    let mut letters = sector.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let sector: String = first.into_iter().chain(letters).collect();
    let is_main = catalog::push_default(table.sector).is_some_and(|main| main.name == table.name);
    match is_main {
        true => format!("{sector} from files"),
        false => format!("{sector} {} from files", table.name),
    }
}

/// Makes a connection and keeps its secret.
pub async fn create(
    server: &Server,
    table: &Table,
    secret_file: &Path,
) -> Result<Created, PushError> {
    let shown = secret_file.display();
    let mut file = open(secret_file).map_err(|error| {
        PushError::Secret(format!(
            "the secret file {shown} cannot be written, so no connection is made: {error}"
        ))
    })?;
    let created = server.create(table, &label(table)).await?;
    let Err(error) = append(&mut file, &created) else {
        return Ok(created);
    };
    let (id, target) = (&created.id, table.target());
    let outcome = match server.remove(id).await {
        true => "the connection was removed again".to_owned(),
        false => format!(
            "connection {id} is there without anybody knowing its secret: disconnect it in the Console"
        ),
    };
    Err(PushError::Secret(format!(
        "the secret of a new connection for {target} could not be kept in {shown} ({error}); {outcome}"
    )))
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

    #[test]
    fn a_label_names_the_sector_and_what_is_not_its_main_table() {
        let label = |target| label(pushable(target).unwrap());
        assert_eq!(label("mail.messages"), "Mail from files");
        assert_eq!(label("finance.accounts"), "Finance accounts from files");
        for target in ["mail.threads", "mail", "stars.bright"] {
            assert!(pushable(target).is_none(), "{target}");
        }
    }
}
