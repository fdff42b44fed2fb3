//! The connections as one read of the table found them.

use std::collections::HashMap;

use uuid::Uuid;

use crate::domain::KnownConnection;

/// The connections, without removed ones and without those that changed and could not be read since.
#[derive(Clone, Debug, Default)]
pub struct ConnectionSnapshot {
    /// In the order in which they were read: by sector, label and id.
    rows: Vec<KnownConnection>,
    places: HashMap<Uuid, usize>,
    is_current: bool,
}

impl ConnectionSnapshot {
    pub(super) fn new(rows: impl IntoIterator<Item = KnownConnection>, is_current: bool) -> Self {
        let rows: Vec<KnownConnection> = rows.into_iter().collect();
        let places = rows.iter().enumerate();
        Self {
            places: places.map(|(place, row)| (row.id, place)).collect(),
            rows,
            is_current,
        }
    }

    /// The connection with this id.
    pub fn get(&self, id: &Uuid) -> Option<&KnownConnection> {
        self.rows.get(*self.places.get(id)?)
    }

    /// All of them, by sector, label and id.
    pub fn values(&self) -> impl Iterator<Item = &KnownConnection> {
        self.rows.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether it holds every change that was to be published. While it does not, the table tells what stands behind an answer.
    pub const fn is_current(&self) -> bool {
        self.is_current
    }
}

/// A current snapshot of these.
impl FromIterator<KnownConnection> for ConnectionSnapshot {
    fn from_iter<I: IntoIterator<Item = KnownConnection>>(rows: I) -> Self {
        Self::new(rows, true)
    }
}
