//! `.env` in the working folder: the settings it gives, and warnings about what it does not.
//!
//! Other programs keep such files too. So only known settings are read and each is logged by its name, and the two that decide where
//! the data is, `DATABASE_URL` and `DATA_DIR`, count only if a line `SEXTANT=1` marks the file as meant for this program. Parsed here
//! and not by a crate: the available ones substitute variables in values, and do not report the line of an error.

mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use self::lines::Assignments;
use super::error::ConfigError;
use super::settings::{self, CREDENTIAL_KEYS, DATA_DIR, DATABASE_URL, Setting};

/// Its name in the working folder.
const FILE: &str = ".env";
/// The largest that is read, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// The line that says that the file is meant for this program.
const MARK: (&str, &str) = ("SEXTANT", "1");
/// Settings that other programs' files have as well, for their own data.
const MARKED_ONLY: [&Setting; 2] = [&DATABASE_URL, &DATA_DIR];
/// A variable of `sextant push`, and no setting of the service.
const INGEST_SECRET: &str = "SEXTANT_INGEST_SECRET";
/// The largest edit distance at which an unknown name is taken for a misspelt setting.
const SLIPS_MAX: usize = 2;
/// For a name shorter than this the distance may be 1 only.
const LONG_NAME: usize = 8;

/// What a file gives.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct DotEnv {
    file: PathBuf,
    values: BTreeMap<&'static str, String>,
    passed_over: BTreeSet<&'static str>,
    /// Misspelt names, and the settings that were probably meant.
    slips: BTreeMap<String, &'static str>,
}

impl DotEnv {
    /// The file in this folder, if there is one. A folder of this name (a Python environment) is none.
    ///
    /// # Errors
    /// When it cannot be read, or at the first line that is none of such a file.
    pub(super) fn read_in(folder: &Path) -> Result<Option<Self>, ConfigError> {
        let file = folder.join(FILE);
        if !file.is_file() {
            return Ok(None);
        }
        let unreadable = |cause| ConfigError::Unreadable {
            file: file.clone(),
            cause,
        };
        let text = text_of(&file).map_err(unreadable)?;
        Self::parse(&file, &text).map(Some)
    }

    fn parse(file: &Path, text: &str) -> Result<Self, ConfigError> {
        let mut read = Self {
            file: file.to_owned(),
            ..Self::default()
        };
        let mut is_marked = false;
        for line in Assignments::of(text) {
            let at = |line, message: &str| ConfigError::Malformed {
                file: file.to_owned(),
                line,
                message: message.to_owned(),
            };
            let line = line.map_err(|(line, message)| at(line, message))?;
            is_marked |= (line.name, line.value.as_str()) == MARK;
            match known_names().find(|name| *name == line.name) {
                Some(_) if line.is_substituted => {
                    return Err(at(
                        line.number,
                        "nothing is put in the place of a `$`; put the value into single quotes",
                    ));
                }
                Some(name) => {
                    read.values.insert(name, line.value);
                }
                None => read.suspect(line.name),
            }
        }
        if !is_marked {
            read.pass_over();
        }
        Ok(read)
    }

    fn suspect(&mut self, name: &str) {
        if name == MARK.0 {
            return;
        }
        let near = settings::nearest(&name.to_uppercase(), known_names());
        let slips_max = SLIPS_MAX - usize::from(name.len() < LONG_NAME);
        if let Some(near) = near
            && strsim::damerau_levenshtein(&name.to_uppercase(), near) <= slips_max
        {
            self.slips.insert(name.to_owned(), near);
        }
    }

    fn pass_over(&mut self) {
        for setting in MARKED_ONLY {
            if self.values.remove(setting.variable).is_some() {
                self.passed_over.insert(setting.variable);
            }
        }
    }

    /// Drops the values that are set elsewhere, and those that are blank.
    pub(super) fn without(mut self, is_said: impl Fn(&str) -> bool) -> Self {
        self.values
            .retain(|name, value| !is_said(name) && !value.trim().is_empty());
        self.passed_over.retain(|name| !is_said(name));
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// A sentence for each setting that is used from it, without the value.
    pub fn taken(&self) -> impl Iterator<Item = String> {
        let file = self.file.display();
        self.values
            .keys()
            .map(move |name| format!("{name} is taken from {file}"))
    }

    /// A sentence for each line that was probably meant as a setting and is not used.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let file = self.file.display().to_string();
        let also = file.clone();
        let passed_over = self.passed_over.iter().map(move |name| {
            format!(
                "{name} in {also} is passed over, since it may be another program's: \
                 if it is meant, add a line {}={} to that file",
                MARK.0, MARK.1
            )
        });
        let slips = self.slips.iter().map(move |(written, meant)| {
            format!("{written} in {file} is no setting; the nearest is {meant}")
        });
        passed_over.chain(slips)
    }
}

impl fmt::Debug for DotEnv {
    /// Names only: a value may be a secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.values.keys()).finish()
    }
}

fn known_names() -> impl Iterator<Item = &'static str> {
    let settings = settings::ALL.iter().map(|setting| setting.variable);
    settings.chain([INGEST_SECRET]).chain(CREDENTIAL_KEYS)
}

fn text_of(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    let opened = std::fs::File::open(file)?;
    opened.take(FILE_BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > FILE_BYTES_MAX {
        let why = "it is larger than 1 MiB";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<DotEnv, String> {
        DotEnv::parse(Path::new("/x/.env"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn names_of_ours_are_taken_and_told_without_their_values() {
        let read = read("OTHER=1\nREST_PORT=9001\nTIMEZONE='Asia/Tokyo'\n").unwrap();
        assert_eq!(read.get("REST_PORT"), Some("9001"));
        assert_eq!(
            (read.get("TIMEZONE"), read.get("OTHER")),
            (Some("Asia/Tokyo"), None)
        );
        let told: Vec<_> = read.taken().collect();
        let expected = [
            "REST_PORT is taken from /x/.env",
            "TIMEZONE is taken from /x/.env",
        ];
        assert_eq!(
            (told, read.warnings().count()),
            (expected.map(str::to_owned).into(), 0)
        );
    }

    #[test]
    fn where_the_data_is_counts_only_in_a_file_that_is_meant() {
        let text = "DATABASE_URL=postgres://hunter2@x/y\nDATA_DIR=/theirs\n";
        let foreign = read(text).unwrap();
        assert_eq!(
            (foreign.get("DATABASE_URL"), foreign.get("DATA_DIR")),
            (None, None)
        );
        let warnings: Vec<_> = foreign.warnings().collect();
        assert!(
            warnings[0].starts_with("DATABASE_URL in /x/.env is passed over"),
            "{warnings:?}"
        );
        assert!(warnings[1].starts_with("DATA_DIR") && warnings[1].contains("SEXTANT=1"));
        for unlike in ["SEXTANT=0", "SEXTANT=", "# SEXTANT=1"] {
            assert_eq!(
                read(&format!("{text}{unlike}")).unwrap().get("DATA_DIR"),
                None
            );
        }
        let own = read(&format!("{text}SEXTANT=1")).unwrap();
        assert_eq!(
            (own.get("DATA_DIR"), own.warnings().count()),
            (Some("/theirs"), 0)
        );
        assert!(!format!("{own:?} {foreign:?} {warnings:?}").contains("hunter2"));
    }

    #[test]
    fn a_slip_is_told_and_a_strangers_name_is_not() {
        let read =
            read("REST_PROT=1\nPORT=2\nTIMEZONES=x\nNODE_ENV=y\nHOST=z\nSEXTANT=1\n").unwrap();
        let told: Vec<_> = read.warnings().collect();
        let expected = [
            "REST_PROT in /x/.env is no setting; the nearest is REST_PORT",
            "TIMEZONES in /x/.env is no setting; the nearest is TIMEZONE",
        ];
        assert_eq!(told, expected);
        assert_eq!(read.taken().count(), 0);
    }

    #[test]
    fn a_line_that_is_none_is_named_by_its_number_and_not_shown() {
        for (text, line) in [
            ("\n# x\nhunter2\n", 3),
            ("A=1\nREST_PORT=\"hunter2\n\n", 2),
            ("A='1' hunter2\n", 1),
            ("=hunter2\n", 1),
            ("hunter 2=3\n", 1),
            ("OTHER=$HOME\nBIND=${hunter2}\n", 2),
        ] {
            let error = read(text).unwrap_err();
            assert!(
                error.starts_with(&format!("/x/.env, line {line}: ")),
                "{error}"
            );
            assert!(!error.contains("hunter"), "{error}");
        }
    }
}
