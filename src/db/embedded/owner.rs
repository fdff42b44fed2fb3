//! The user who owns the cluster's files and runs its server. PostgreSQL refuses to run as root.
//!
//! It knows users and how to run a program as one; it must not know which program.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use nix::unistd::{Gid, Uid, User, getegid, geteuid};

use super::error::ClusterError;
use crate::config::passed_on;

/// The users that run the server when the service is root, in the order of preference.
const UNPRIVILEGED_USERS: [&str; 2] = ["postgres", "nobody"];

/// The user who runs the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub uid: u32,
    pub gid: u32,
    pub name: String,
    /// Whether programs must change to this user first, because the service is root.
    foreign: bool,
}

impl Owner {
    /// This process's user; for root, the owner of the directory `cluster` if it exists, else `postgres`, else `nobody`.
    ///
    /// # Errors
    /// When none of these users exists.
    pub(super) fn of(cluster: &Path) -> Result<Self, ClusterError> {
        if !geteuid().is_root() {
            return Ok(Self::named(geteuid(), getegid(), false));
        }
        let owned = fs::metadata(cluster).ok().filter(|found| found.uid() != 0);
        if let Some(found) = owned {
            return Ok(Self::named(
                Uid::from_raw(found.uid()),
                Gid::from_raw(found.gid()),
                true,
            ));
        }
        UNPRIVILEGED_USERS
            .iter()
            .find_map(|name| User::from_name(name).ok().flatten())
            .map(|user| Self {
                uid: user.uid.as_raw(),
                gid: user.gid.as_raw(),
                name: user.name,
                foreign: true,
            })
            .ok_or(ClusterError::NoUnprivilegedUser)
    }

    fn named(uid: Uid, gid: Gid, foreign: bool) -> Self {
        let name = User::from_uid(uid)
            .ok()
            .flatten()
            .map_or_else(|| uid.to_string(), |user| user.name);
        Self {
            uid: uid.as_raw(),
            gid: gid.as_raw(),
            name,
            foreign,
        }
    }

    /// Whether the server runs as another user than the service, which is root then.
    pub(super) fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// A command that runs as this user, in `/`, with English messages. It gets almost nothing of the environment: `PG*` variables
    /// would change what it does, and a server that outlives the service must not know its secrets.
    ///
    /// `CommandExt::uid` also clears the supplementary groups when root changes the uid.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir("/")
            .env_clear()
            .envs(passed_on())
            .env("LC_ALL", "C");
        if self.foreign {
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Gives one directory to this user and closes it to everybody else.
    ///
    /// # Errors
    /// When its owner or mode cannot be changed.
    pub(super) fn take(&self, dir: &Path) -> Result<(), ClusterError> {
        if self.foreign {
            chown(dir, Some(self.uid), Some(self.gid)).map_err(ClusterError::filesystem(dir))?;
        }
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))
            .map_err(ClusterError::filesystem(dir))
    }

    /// Checks that this user may enter every directory above `wanted`, which is absolute and free of symbolic links. Nothing
    /// is to be checked for the service's own user, who has entered them all by now.
    ///
    /// # Errors
    /// The first directory, from the root down, that the user may not enter.
    pub(super) fn check_parents(&self, wanted: &Path) -> Result<(), ClusterError> {
        if !self.foreign {
            return Ok(());
        }
        let mut parents: Vec<&Path> = wanted.ancestors().skip(1).collect();
        parents.reverse();
        for parent in parents {
            let found = fs::metadata(parent).map_err(ClusterError::filesystem(parent))?;
            if !self.may_pass(&found) {
                return Err(ClusterError::ParentBlocked {
                    parent: parent.into(),
                    wanted: wanted.into(),
                    user: self.name.clone(),
                });
            }
        }
        Ok(())
    }

    fn may_pass(&self, directory: &fs::Metadata) -> bool {
        let bit = match directory {
            found if found.uid() == self.uid => 0o100,
            found if found.gid() == self.gid => 0o010,
            _ => 0o001,
        };
        directory.mode() & bit != 0
    }
}
