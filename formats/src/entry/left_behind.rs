//! Counts of content that no table stores, such as pictures in contacts and the bytes of attachments. It is no error, so it
//! is counted by kind and reported once a file, not with each entry.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts by kind. The kinds are constants of the readers, so there are few.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindCounts(BTreeMap<&'static str, u64>);

/// Where the readers of one push count; all of one push share it.
#[derive(Debug, Clone, Default)]
pub struct LeftBehind(Arc<Mutex<KindCounts>>);

impl LeftBehind {
    /// One more of a kind, which is named in the plural.
    pub(crate) fn add(&self, kind: &'static str) {
        self.add_many(kind, 1);
    }

    /// So many more of a kind.
    pub(crate) fn add_many(&self, kind: &'static str, count: u64) {
        if count > 0 {
            self.with_lock(|kinds| *kinds.0.entry(kind).or_default() += count);
        }
    }

    /// Takes what was counted since the last time.
    pub fn take(&self) -> KindCounts {
        self.with_lock(std::mem::take)
    }

    fn with_lock<T>(&self, work: impl FnOnce(&mut KindCounts) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl KindCounts {
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the counts of another file.
    pub fn merge(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            *self.0.entry(kind).or_default() += count;
        }
    }
}

/// `pictures 212, sounds 1`
impl fmt::Display for KindCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.iter().map(|(kind, count)| format!("{kind} {count}"));
        f.write_str(&counts.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_until_they_are_taken() {
        let left_behind = LeftBehind::default();
        left_behind.clone().add("sounds");
        left_behind.add_many("pictures", 211);
        left_behind.add("pictures");
        left_behind.add_many("keys", 0);
        let mut taken = left_behind.take();
        assert_eq!(taken.to_string(), "pictures 212, sounds 1");
        assert!(left_behind.take().is_empty());
        taken.merge(&taken.clone());
        assert_eq!(taken.to_string(), "pictures 424, sounds 2");
    }
}
