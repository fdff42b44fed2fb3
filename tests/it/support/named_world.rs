//! A world in which some names lead to this computer and one authority more is trusted: for programs that look names up and check
//! certificates as they would anywhere. It is a namespace of mounts with a file of hosts of its own, for which one has to be root.

use std::path::{Path, PathBuf};
use std::process::Command as BlockingCommand;

use tempfile::TempDir;
use tokio::process::Command;

use super::skipped;

/// A shell that puts the file of hosts in its place, and becomes the program.
const ENTER: &str = "mount --bind \"$1\" /etc/hosts && shift && exec \"$@\"";

/// The file of hosts, and the authority.
pub struct NamedWorld {
    folder: TempDir,
    authority: PathBuf,
}

/// Whether such a world can be entered; if not, `test` is reported as skipped.
pub fn can_be_entered(test: &str) -> bool {
    let entered = BlockingCommand::new("unshare")
        .args(["--mount", "true"])
        .output();
    let may = entered.is_ok_and(|output| output.status.success());
    if !may {
        skipped::for_want_of(test, "a namespace of mounts needs root, and `unshare`");
    }
    may
}

impl NamedWorld {
    /// These names lead here, and what this authority signed is trusted.
    pub fn new(names: &[&str], authority: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lines = names.iter().chain(&["localhost"]);
        let hosts: String = lines.map(|name| format!("127.0.0.1 {name}\n")).collect();
        std::fs::write(folder.path().join("hosts"), hosts).unwrap();
        Self {
            folder,
            authority: authority.to_owned(),
        }
    }

    /// A folder in which nothing is stored yet.
    fn new_home(&self) -> PathBuf {
        tempfile::tempdir_in(self.folder.path()).unwrap().keep()
    }

    /// A command that runs `program` there, as somebody who has no files yet.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("unshare");
        command
            .args(["--mount", "sh", "-c", ENTER, "enter"])
            .arg(self.folder.path().join("hosts"))
            .arg(program)
            .env("SSL_CERT_FILE", &self.authority)
            .env("NODE_EXTRA_CA_CERTS", &self.authority)
            .env("HOME", self.new_home());
        command
    }
}
