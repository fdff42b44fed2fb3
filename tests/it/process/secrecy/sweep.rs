//! Where each kind of word may be found, and the search of every place.

use std::collections::BTreeSet;
use std::path::Path;

use nix::unistd::Pid;

use super::markers::{DIGEST, Found, Kind, Markers};

/// Bytes around a find that a failure shows.
const SHOWN_BYTES: usize = 120;

/// The word that is the key of credentials: it stands in its file alone.
pub const KEY: &str = "the key of credentials";

/// A place that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// What a process wrote to its standard output or error.
    Log,
    /// A file other than PostgreSQL's tables and their write-ahead log.
    File,
    /// The file of that key.
    KeyFile,
    /// A file of the tables or of the write-ahead log.
    Tables,
    /// A file of the journal, which holds rows before they are in the audit log.
    Journal,
    /// A table in a plain-text dump.
    Dump(&'a str),
    /// Command line or environment of a process.
    Process,
    /// The one answer that shows a secret.
    Showing,
    /// An answer of the Console.
    Console,
    /// An answer to a device.
    Device,
    /// The output of `sextant push`: by file, place and reason.
    Terminal,
    /// An answer to an agent about its own message.
    ToAgent,
    /// An answer with what an agent may read.
    Reading,
}

impl Place<'_> {
    fn may_hold(self, found: &Found<'_>) -> bool {
        match (self, found.marker.kind) {
            (Place::Dump("public.agents" | "public.connections"), Kind::Secret) => {
                found.form == DIGEST
            }
            (Place::KeyFile, Kind::Secret) => found.marker.place == KEY,
            (Place::Tables, Kind::Payload | Kind::Said | Kind::Told) => true,
            (Place::Journal, Kind::Said | Kind::Told) => true,
            (Place::Dump(table), Kind::Payload) => !table.starts_with("public."),
            (Place::Dump(table), Kind::Said) => table == "public.audit_log",
            (Place::Dump(table), Kind::Told) => table.starts_with("public."),
            (Place::Showing, Kind::Secret) => found.form == "plain",
            (Place::Showing, Kind::Told) => true,
            (Place::Console, Kind::Told | Kind::Said) => true,
            (Place::ToAgent, Kind::Said | Kind::Hidden | Kind::Told) => true,
            (Place::Terminal, Kind::Payload) => true,
            (Place::Reading, Kind::Payload | Kind::Told | Kind::Said) => true,
            _ => false,
        }
    }
}

/// Everything that was found where it must not be.
pub struct Sweep<'a> {
    finder: super::markers::Finder<'a>,
    leaks: BTreeSet<String>,
    bytes: usize,
}

impl<'a> Sweep<'a> {
    pub fn of(markers: &'a Markers) -> Self {
        Self {
            finder: markers.finder(),
            leaks: BTreeSet::new(),
            bytes: 0,
        }
    }

    pub fn search(&mut self, place: Place<'_>, name: &str, bytes: &[u8]) {
        self.bytes += bytes.len();
        for found in self.finder.find(bytes) {
            if !place.may_hold(&found) {
                let from = found.at.saturating_sub(SHOWN_BYTES);
                let to = bytes.len().min(found.at + SHOWN_BYTES);
                self.leaks.insert(format!(
                    "{place:?} {name}: {:?} of `{}` as {}: …{}…",
                    found.marker.kind,
                    found.marker.place,
                    found.form,
                    String::from_utf8_lossy(&bytes[from..to])
                ));
            }
        }
    }

    /// Searches every file below `directory`: those of PostgreSQL's tables and write-ahead log and those of the
    /// journal as such, others as files. Returns the number of bytes.
    pub fn search_files(&mut self, directory: &Path) -> usize {
        let mut bytes_read = 0;
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap().file_type();
            let name = path.to_str().unwrap();
            if kind.is_dir() {
                bytes_read += self.search_files(&path);
            } else if kind.is_file() {
                let of_tables = ["/base/", "/pg_wal/"]
                    .iter()
                    .any(|part| name.contains(part));
                let place = match of_tables {
                    true => Place::Tables,
                    false if name.contains("/data/journal/") => Place::Journal,
                    false if name.ends_with("/credentials.key") => Place::KeyFile,
                    false => Place::File,
                };
                self.search(place, name, name.as_bytes());
                let bytes = std::fs::read(&path).unwrap();
                bytes_read += bytes.len();
                self.search(place, name, &bytes);
            }
        }
        bytes_read
    }

    /// Searches a plain-text dump, table by table; text outside a table's rows belongs to no table.
    pub fn search_dump(&mut self, dump: &str) {
        let mut table = String::new();
        for line in dump.lines() {
            if let Some(copied) = line.strip_prefix("COPY ") {
                table = copied.split(' ').next().unwrap().to_owned();
            }
            self.search(Place::Dump(&table), &table, line.as_bytes());
            if line == "\\." {
                table.clear();
            }
        }
    }

    /// Searches what the kernel shows of a process and of all its descendants.
    pub fn search_processes(&mut self, pid: Pid) -> usize {
        for part in ["cmdline", "environ"] {
            // A process may have ended since it was listed.
            let bytes = std::fs::read(format!("/proc/{pid}/{part}")).unwrap_or_default();
            self.search(Place::Process, &format!("{pid} {part}"), &bytes);
        }
        let listed = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let children: Vec<Pid> = listed
            .unwrap_or_default()
            .split_whitespace()
            .map(|child| Pid::from_raw(child.parse().unwrap()))
            .collect();
        1 + children
            .into_iter()
            .map(|child| self.search_processes(child))
            .sum::<usize>()
    }

    /// Fails with everything that leaked.
    pub fn assert_clean(self) {
        assert!(self.bytes > 0);
        let leaks: Vec<_> = self.leaks.into_iter().collect();
        assert!(
            leaks.is_empty(),
            "{} leaks:\n{}",
            leaks.len(),
            leaks.join("\n")
        );
    }
}
