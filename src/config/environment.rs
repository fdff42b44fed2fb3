//! The one place where the environment is read: the variables, who runs the process, which zone the system keeps.
//!
//! Everything else takes an [`Environment`], so that a test can give one of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::dotenv::DotEnv;
use super::error::ConfigError;
use super::secret::Secret;
use super::settings::{CREDENTIAL_KEYS, SettingOrigin};

/// Variables that a program of PostgreSQL may need to run at all. It gets no other, for any of them may hold a secret.
const PASSED_ON: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZDIR"];

/// What a program that this process starts is given of the environment.
pub fn passed_on() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| PASSED_ON.iter().any(|passed| name == passed))
}

/// What a process finds around itself when it starts.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    runs_as_root: bool,
    system_zone: Option<String>,
    /// Where a `.env` may lie; no test and no demonstration has one.
    working_folder: Option<PathBuf>,
    dotenv: Option<DotEnv>,
}

impl Environment {
    /// The environment of this process. A variable that is not UTF-8 counts as absent.
    pub fn of_process() -> Self {
        Self {
            variables: std::env::vars_os().filter_map(readable).collect(),
            runs_as_root: nix::unistd::geteuid().is_root(),
            system_zone: iana_time_zone::get_timezone().ok(),
            working_folder: std::env::current_dir().ok(),
            dotenv: None,
        }
    }

    /// The same, started in this folder.
    #[must_use]
    pub fn in_folder(mut self, folder: PathBuf) -> Self {
        self.working_folder = Some(folder);
        self
    }

    /// The same with what a `.env` in the working folder gives besides: a variable wins over it.
    ///
    /// # Errors
    /// When that file is there and cannot be read.
    pub fn with_dotenv(mut self) -> Result<Self, ConfigError> {
        let read = match &self.working_folder {
            Some(folder) => DotEnv::read_in(folder)?,
            None => None,
        };
        self.dotenv = read.map(|read| read.without(|name| self.variable(name).is_some()));
        Ok(self)
    }

    /// The `.env` that was read.
    pub fn dotenv(&self) -> Option<&DotEnv> {
        self.dotenv.as_ref()
    }

    /// An environment of these variables only, not root's, on a system without a zone.
    pub fn of<const N: usize>(variables: [(&str, &str); N]) -> Self {
        Self {
            variables: variables
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
            ..Self::default()
        }
    }

    /// The same, of a process that root runs.
    #[must_use]
    pub fn run_by_root(mut self) -> Self {
        self.runs_as_root = true;
        self
    }

    /// The same, on a system that keeps the IANA zone `name`.
    #[must_use]
    pub fn in_system_zone(mut self, name: &str) -> Self {
        self.system_zone = Some(name.into());
        self
    }

    /// The same, with these variables only.
    #[must_use]
    pub fn only(mut self, names: &[&str]) -> Self {
        self.variables
            .retain(|name, _| names.contains(&name.as_str()));
        self
    }

    /// The value of a variable, or of its line in `.env`; one that is empty or blank counts as absent, as compose files pass it.
    pub fn get(&self, name: &str) -> Option<&str> {
        let in_file = || self.dotenv.as_ref()?.get(name).map(str::trim);
        self.variable(name).or_else(in_file)
    }

    fn variable(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// Where a value that [`Self::get`] answers was given.
    pub(super) fn origin(&self, name: &'static str) -> SettingOrigin {
        match &self.dotenv {
            Some(file) if self.variable(name).is_none() => {
                SettingOrigin::DotEnv(name, file.file().into())
            }
            _ => SettingOrigin::Variable(name),
        }
    }

    /// Whether root runs the process.
    pub fn runs_as_root(&self) -> bool {
        self.runs_as_root
    }

    /// The IANA name of the system's zone, where the system has one.
    pub fn system_zone(&self) -> Option<&str> {
        self.system_zone.as_deref()
    }

    /// The folders in which programs are looked for.
    pub fn path(&self) -> Vec<PathBuf> {
        self.get("PATH")
            .map_or_else(Vec::new, |path| std::env::split_paths(path).collect())
    }

    /// The key of credentials at rest, and the one before it (`SEXTANT_KEY`, `SEXTANT_KEY_PREVIOUS`).
    pub(super) fn credential_keys(&self) -> [Option<Secret>; 2] {
        CREDENTIAL_KEYS.map(|name| self.get(name).map(Secret::new))
    }

    /// The secret that `sextant push` sends for its one connection (`SEXTANT_INGEST_SECRET`).
    pub fn ingest_secret(&self) -> Option<Secret> {
        self.get("SEXTANT_INGEST_SECRET").map(Secret::new)
    }
}

impl fmt::Debug for Environment {
    /// Names only: a value may be a secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_set()
            .entries(self.variables.keys())
            .finish()
    }
}

fn readable((name, value): (OsString, OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_variable_counts_as_absent() {
        let environment = Environment::of([("BIND", "  "), ("REST_PORT", " 80 ")]);
        assert_eq!(environment.get("BIND"), None);
        assert_eq!(environment.get("REST_PORT"), Some("80"));
        assert_eq!(environment.get("MCP_PORT"), None);
    }

    #[test]
    fn debug_shows_names_and_no_values() {
        let environment = Environment::of([("SEXTANT_INGEST_SECRET", "hunter2")]);
        let shown = format!("{environment:?} {:?}", environment.ingest_secret());
        assert!(
            shown.contains("SEXTANT_INGEST_SECRET") && !shown.contains("hunter2"),
            "{shown}"
        );
    }

    #[test]
    fn the_path_is_split_into_folders() {
        let environment = Environment::of([("PATH", "/usr/bin:/bin")]);
        assert_eq!(
            environment.path(),
            [PathBuf::from("/usr/bin"), PathBuf::from("/bin")]
        );
    }
}
