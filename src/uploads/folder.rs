//! The folder of one upload: its files as they came, its state and its refusals beside them. Its owner alone reads it.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::job::UploadJob;
use super::relative_path::RelativePath;

const FILES: &str = "files";
const STATE: &str = "job.json";
const STATE_DRAFT: &str = "job.json.new";
const REFUSALS: &str = "refusals.ndjson";
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// The folder of one upload.
#[derive(Clone, Debug)]
pub(super) struct JobFolder(PathBuf);

impl JobFolder {
    pub(super) fn of(uploads: &Path, id: Uuid) -> Self {
        Self(uploads.join(id.to_string()))
    }

    /// Makes the folder.
    pub(super) fn create(&self) -> io::Result<()> {
        make_folders(&self.root())
    }

    /// The folder of the files.
    pub(super) fn root(&self) -> PathBuf {
        self.0.join(FILES)
    }

    /// What was sent, by the names at the top: each is read as if it had been named by itself.
    pub(super) fn top(&self) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.root())?;
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        paths.sort();
        Ok(paths)
    }

    /// A file for what is arriving, under a name that nothing reads.
    pub(super) fn create_part(&self, id: Uuid) -> io::Result<(File, PathBuf)> {
        let path = self.0.join(format!("{id}.part"));
        Ok((create_file(&path)?, path))
    }

    /// Where the file of this path lies; the folders above it are made.
    pub(super) fn place(&self, path: &RelativePath) -> io::Result<PathBuf> {
        let place = self.root().join(path.as_path());
        if let Some(parent) = place.parent() {
            make_folders(parent)?;
        }
        Ok(place)
    }

    /// Keeps the state: the one from before, or this one, whatever happens meanwhile.
    pub(super) fn save(&self, job: &UploadJob) -> io::Result<()> {
        let draft = self.0.join(STATE_DRAFT);
        let mut file = create_file(&draft)?;
        file.write_all(&serde_json::to_vec(job)?)?;
        file.sync_data()?;
        fs::rename(draft, self.0.join(STATE))
    }

    /// The state that was kept.
    pub(super) fn load(&self) -> io::Result<UploadJob> {
        Ok(serde_json::from_slice(&fs::read(self.0.join(STATE))?)?)
    }

    /// How many files there are, and their bytes. What had not arrived whole is removed.
    pub(super) fn survey(&self) -> io::Result<(u64, u64)> {
        for entry in fs::read_dir(&self.0)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "part") {
                fs::remove_file(path)?;
            }
        }
        sizes(&self.root())
    }

    /// The file of refusals, empty.
    pub(super) fn create_refusals(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::new(create_file(&self.0.join(REFUSALS))?))
    }

    /// The file of refusals, a JSON object a line; `None` before the first check.
    pub(super) fn refusals(&self) -> io::Result<Option<File>> {
        match File::open(self.0.join(REFUSALS)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes everything.
    pub(super) fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.0)
    }
}

fn make_folders(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(FOLDER_MODE).create(path)
}

fn create_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let options = options.write(true).create(true).truncate(true);
    options.mode(FILE_MODE).open(path)
}

fn sizes(folder: &Path) -> io::Result<(u64, u64)> {
    let mut sum = (0, 0);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (files, bytes) = match entry.file_type()?.is_dir() {
            true => sizes(&entry.path())?,
            false => (1, entry.metadata()?.len()),
        };
        sum = (sum.0 + files, sum.1 + bytes);
    }
    Ok(sum)
}
