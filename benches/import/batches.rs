//! The records of a file as a push would send them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bytes::Bytes;
use sextant::intake::PushBatch;
use sextant_formats::{FileEntry, FileReader, FileSource};

/// The body of one request.
pub struct Body {
    pub target: String,
    pub gzipped: Bytes,
}

/// All bodies of a file.
#[derive(Default)]
pub struct Batches {
    pub bodies: Vec<Body>,
    pub rows: usize,
}

impl Batches {
    /// Reads the file; every entry must be a record.
    pub fn of(path: &Path) -> Self {
        let mut batches = Self::default();
        let mut filling: BTreeMap<String, PushBatch> = BTreeMap::new();
        for entry in FileReader::new(super::files::options())
            .entries(&FileSource::File(path.to_owned()))
            .unwrap()
        {
            let Ok(FileEntry::Record {
                target,
                place,
                fields,
            }) = entry
            else {
                panic!("{}: {entry:?}", path.display());
            };
            let target = target.unwrap();
            let row = serde_json::to_vec(&fields).unwrap();
            let batch = filling.entry(target.clone()).or_default();
            if !batch.has_room_for(&row) {
                batches.close(&target, &std::mem::take(batch));
            }
            batch.push(0, place, row);
        }
        for (target, batch) in filling {
            batches.close(&target, &batch);
        }
        batches
    }

    fn close(&mut self, target: &str, batch: &PushBatch) {
        self.rows += batch.len();
        self.bodies.push(Body {
            target: target.to_owned(),
            gzipped: batch.body().unwrap().into(),
        });
    }

    /// The tables of the records.
    pub fn targets(&self) -> BTreeSet<&str> {
        self.bodies
            .iter()
            .map(|body| body.target.as_str())
            .collect()
    }
}
