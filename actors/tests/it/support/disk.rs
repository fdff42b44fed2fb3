use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use sextant_actors::ports::{JournalDisk, JournalFile};

/// What the disk does instead of what was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskFault {
    /// Takes at the most this many bytes of a write, and nothing of the next.
    Short(usize),
    /// Returns this error, having done nothing.
    Error(ErrorKind),
    /// Takes everything, after longer than a fast write may take.
    Slow,
    /// Panics, having done nothing.
    Panic,
}

/// Longer than a fast write may take.
const SLOW: Duration = Duration::from_millis(6);

/// A folder in memory. Clones share it; its contents outlast whoever wrote them.
#[derive(Clone, Default)]
pub struct FakeDisk {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    files: BTreeMap<String, Vec<u8>>,
    /// The faults of the next appends; when none are left, appends succeed.
    appends: VecDeque<Option<DiskFault>>,
    /// The most bytes that all files together may have.
    room: Option<usize>,
    creates_fail: bool,
    reads_fail: bool,
    cuts_fail: bool,
    renames_fail: bool,
    syncs_fail: bool,
    syncs: u64,
    is_held: bool,
    /// Appends that wait because of that.
    held: usize,
    syncs_are_held: bool,
    /// Syncs that wait because of that.
    held_syncs: usize,
    /// For each append whether a thread other than the journal's did it.
    by_callers: Vec<bool>,
    released: u64,
}

impl FakeDisk {
    /// Another disk with the present contents, as a kill leaves them to the next start.
    pub fn copied(&self) -> Self {
        let copy = Self::default();
        copy.state().files = self.files();
        copy
    }

    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        self.state().files.clone()
    }

    /// Changes the contents, as another program or a fault of the disk would.
    pub fn tamper(&self, change: impl FnOnce(&mut BTreeMap<String, Vec<u8>>)) {
        change(&mut self.state().files);
    }

    pub fn appends_meet(&self, faults: impl IntoIterator<Item = Option<DiskFault>>) {
        self.state().appends.extend(faults);
    }

    /// Gives the disk room for this many bytes more; `None` is no limit.
    pub fn has_room(&self, bytes: Option<usize>) {
        let mut state = self.state();
        let used: usize = state.files.values().map(Vec::len).sum();
        state.room = bytes.map(|bytes| used + bytes);
    }

    pub fn creates_fail(&self, fail: bool) {
        self.state().creates_fail = fail;
    }

    pub fn reads_fail(&self, fail: bool) {
        self.state().reads_fail = fail;
    }

    pub fn cuts_fail(&self, fail: bool) {
        self.state().cuts_fail = fail;
    }

    pub fn renames_fail(&self, fail: bool) {
        self.state().renames_fail = fail;
    }

    pub fn syncs_fail(&self, fail: bool) {
        self.state().syncs_fail = fail;
    }

    /// How often a file was synced.
    pub fn syncs(&self) -> u64 {
        self.state().syncs
    }

    pub fn released(&self) -> u64 {
        self.state().released
    }

    /// From now on appends wait until they are released.
    pub fn hold(&self) {
        self.state().is_held = true;
    }

    pub fn let_go(&self) {
        self.state().is_held = false;
        self.inner.changed.notify_all();
    }

    /// Appends that wait to be released.
    pub fn held(&self) -> usize {
        self.state().held
    }

    /// From now on syncs wait, or no longer.
    pub fn hold_syncs(&self, hold: bool) {
        self.state().syncs_are_held = hold;
        self.inner.changed.notify_all();
    }

    /// Syncs that wait to be released.
    pub fn held_syncs(&self) -> usize {
        self.state().held_syncs
    }

    /// For each append whether a caller did it, rather than the journal's thread.
    pub fn by_callers(&self) -> Vec<bool> {
        self.state().by_callers.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap()
    }
}

fn says(fails: bool) -> io::Result<()> {
    match fails {
        true => Err(ErrorKind::Other.into()),
        false => Ok(()),
    }
}

impl JournalDisk for FakeDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.state().files.keys().cloned().collect())
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let state = self.state();
        says(state.reads_fail)?;
        let bytes = state.files.get(name).ok_or(ErrorKind::NotFound)?;
        Ok(bytes.iter().take(bytes_max as usize).copied().collect())
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn JournalFile>> {
        let mut state = self.state();
        says(state.creates_fail)?;
        if state.files.contains_key(name) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        state.files.insert(name.to_owned(), Vec::new());
        Ok(Arc::new(FakeFile {
            disk: self.clone(),
            name: name.to_owned(),
        }))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let removed = self.state().files.remove(name);
        removed.map(drop).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn set_aside(&self, name: &str) -> io::Result<()> {
        let mut state = self.state();
        says(state.renames_fail)?;
        let bytes = state.files.remove(name).ok_or(ErrorKind::NotFound)?;
        state.files.insert(format!("{name}.aside"), bytes);
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        says(self.state().syncs_fail)
    }

    fn release(&self) {
        self.state().released += 1;
    }
}

struct FakeFile {
    disk: FakeDisk,
    name: String,
}

impl JournalFile for FakeFile {
    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        state.held += 1;
        let changed = &self.disk.inner.changed;
        let mut state = changed.wait_while(state, |state| state.is_held).unwrap();
        state.held -= 1;
        let by = std::thread::current();
        state.by_callers.push(by.name() != Some("journal"));
        let taken = match state.appends.pop_front().flatten() {
            Some(DiskFault::Error(kind)) => return Err(kind.into()),
            Some(DiskFault::Short(most)) => {
                state
                    .appends
                    .push_front(Some(DiskFault::Error(ErrorKind::StorageFull)));
                bytes.len().min(most)
            }
            Some(DiskFault::Slow) => {
                let begun = Instant::now();
                while begun.elapsed() < SLOW {
                    std::thread::yield_now();
                }
                bytes.len()
            }
            Some(DiskFault::Panic) => {
                drop(state);
                panic!("the disk panics");
            }
            None => bytes.len(),
        };
        let used: usize = state.files.values().map(Vec::len).sum();
        let room = state
            .room
            .map_or(usize::MAX, |room| room.saturating_sub(used));
        let taken = taken.min(room);
        if taken == 0 {
            return Err(ErrorKind::StorageFull.into());
        }
        // Writing to a removed file succeeds, and nobody sees it.
        if let Some(file) = state.files.get_mut(&self.name) {
            file.extend(bytes.iter().take(taken));
        }
        Ok(taken)
    }

    fn cut(&self, bytes: u64) -> io::Result<()> {
        let mut state = self.disk.state();
        says(state.cuts_fail)?;
        if let Some(file) = state.files.get_mut(&self.name) {
            file.truncate(bytes as usize);
        }
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.disk.state();
        state.held_syncs += 1;
        let changed = &self.disk.inner.changed;
        let mut state = changed
            .wait_while(state, |state| state.syncs_are_held)
            .unwrap();
        state.held_syncs -= 1;
        says(state.syncs_fail)?;
        state.syncs += 1;
        Ok(())
    }
}
