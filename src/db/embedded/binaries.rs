//! Finds the programs of PostgreSQL, and chooses the right version.
//!
//! It knows the directories of distributions. It must not know the cluster beyond its major version.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::{ClusterError, POSTGRES_MAJOR_MIN};
use super::install_hint::install_command;
use crate::config::passed_on;

/// Where to search for the programs.
#[derive(Clone, Debug)]
pub struct SearchPlaces {
    /// `PG_BIN_DIR`; if it is set, no other directory is searched.
    pub bin_dir: Option<PathBuf>,
    /// `PATH`.
    pub path: Option<OsString>,
    /// `/`, except in tests.
    pub system_root: PathBuf,
}

impl SearchPlaces {
    /// The usual directories of this system, and those that the environment names.
    pub fn system(bin_dir: Option<PathBuf>, path: Option<OsString>) -> Self {
        Self {
            bin_dir,
            path,
            system_root: PathBuf::from("/"),
        }
    }
}

/// A directory with working `postgres` and `initdb` of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binaries {
    dir: PathBuf,
    major: u32,
}

impl Binaries {
    /// The path of `postgres`.
    pub fn postgres(&self) -> PathBuf {
        self.dir.join("postgres")
    }

    /// The path of `initdb`.
    pub fn initdb(&self) -> PathBuf {
        self.dir.join("initdb")
    }

    /// The directory of the programs.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The major version, such as 17.
    pub fn major(&self) -> u32 {
        self.major
    }

    /// Runs `postgres --version` in `dir`; `None` if the programs are missing or do not run.
    fn probe(dir: PathBuf) -> Option<Self> {
        if !dir.join("initdb").is_file() {
            return None;
        }
        let output = output_of(&dir.join("postgres"), "--version")?;
        Some(Self {
            major: major_in(&output)?,
            dir,
        })
    }

    fn description(&self) -> String {
        format!("PostgreSQL {} in {}", self.major, self.dir.display())
    }
}

/// The first programs that fit: those of the major version of `cluster` (given with its data directory), or any version from
/// [`POSTGRES_MAJOR_MIN`] for a new cluster.
///
/// # Errors
/// When nothing fits, with what was found.
pub fn find(
    places: &SearchPlaces,
    cluster: Option<(u32, &Path)>,
) -> Result<Binaries, ClusterError> {
    if let Some(dir) = &places.bin_dir {
        let named = Binaries::probe(dir.clone())
            .ok_or_else(|| ClusterError::BinDirUnusable { dir: dir.clone() })?;
        return choose(std::iter::once(named), cluster, places);
    }
    choose(
        candidates(places).into_iter().filter_map(Binaries::probe),
        cluster,
        places,
    )
}

fn choose(
    found: impl Iterator<Item = Binaries>,
    cluster: Option<(u32, &Path)>,
    places: &SearchPlaces,
) -> Result<Binaries, ClusterError> {
    let mut unfit = Vec::new();
    for binaries in found {
        let fits = match cluster {
            Some((major, _)) => binaries.major == major,
            None => binaries.major >= POSTGRES_MAJOR_MIN,
        };
        if fits {
            return Ok(binaries);
        }
        unfit.push(binaries.description());
    }
    Err(nothing_fits(unfit, cluster, places))
}

fn nothing_fits(
    found: Vec<String>,
    cluster: Option<(u32, &Path)>,
    places: &SearchPlaces,
) -> ClusterError {
    match cluster {
        Some((major, data)) => ClusterError::OtherMajor {
            data: data.into(),
            major,
            found,
        },
        None if found.is_empty() => ClusterError::BinariesAbsent {
            install: install_command(&places.system_root, false),
        },
        None => ClusterError::BinariesTooOld {
            found,
            install: install_command(&places.system_root, true),
        },
    }
}

/// The directories to search, in the order of preference.
fn candidates(places: &SearchPlaces) -> Vec<PathBuf> {
    let root = &places.system_root;
    let mut dirs = on_path(places);
    dirs.extend(numbered(&root.join("usr/lib/postgresql"), "", "bin"));
    dirs.extend(numbered(&root.join("usr"), "pgsql-", "bin"));
    for homebrew in [
        "opt/homebrew/opt",
        "usr/local/opt",
        "home/linuxbrew/.linuxbrew/opt",
    ] {
        dirs.extend(numbered(&root.join(homebrew), "postgresql@", "bin"));
    }
    dirs.extend(numbered(
        &root.join("Applications/Postgres.app/Contents/Versions"),
        "",
        "bin",
    ));
    dirs
}

/// The directory that `pg_config` on the path prints, then the directories of the path themselves.
fn on_path(places: &SearchPlaces) -> Vec<PathBuf> {
    let path: Vec<PathBuf> = places
        .path
        .iter()
        .flat_map(std::env::split_paths)
        .filter(|dir| dir.is_absolute())
        .collect();
    let configured = path
        .iter()
        .map(|dir| dir.join("pg_config"))
        .find(|program| program.is_file())
        .and_then(|program| output_of(&program, "--bindir"))
        .map(|output| PathBuf::from(output.trim()));
    let holding = path
        .into_iter()
        .filter(|dir| dir.join("postgres").is_file());
    configured.into_iter().chain(holding).collect()
}

/// The directories `parent/<prefix><number>/<suffix>`, the highest number first. What cannot be read is skipped: these are
/// guesses, and a missing PostgreSQL is reported after all of them.
fn numbered(parent: &Path, prefix: &str, suffix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    // What cannot be read is no installation that could be used.
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let number = leading_number(entry.file_name().to_str()?.strip_prefix(prefix)?)?;
            Some((number, entry.path().join(suffix)))
        })
        .collect();
    versions.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    versions.into_iter().map(|(_, dir)| dir).collect()
}

/// The standard output of the program; `None` if it cannot be run or fails.
fn output_of(program: &Path, argument: &str) -> Option<String> {
    let output = Command::new(program)
        .arg(argument)
        .current_dir("/")
        .env_clear()
        .envs(passed_on())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` is 15, `17beta2` is 17.
fn major_in(version: &str) -> Option<u32> {
    leading_number(version.split(')').nth(1)?.trim_start())
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_the_program_says() {
        for (said, major) in [
            (
                "postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n",
                Some(15),
            ),
            ("postgres (PostgreSQL) 17beta2\n", Some(17)),
            ("postgres (PostgreSQL) 9.6.24\n", Some(9)),
            ("something else\n", None),
        ] {
            assert_eq!(major_in(said), major, "{said}");
        }
    }
}
