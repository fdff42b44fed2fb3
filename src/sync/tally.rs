//! What a round has done so far. Pure.

use sextant_actors::ports::{RoundEnd, RoundReport, SourceProblem};

use super::limits::{KEY_SHOWN_CHARACTERS_MAX, SKIPPED_NAMED_MAX, WARNINGS_TOLD_MAX};
use super::page::StoredPage;
use super::verdict::LEFT_OUT;
use crate::store::connections::WARNED;

/// Counts, and the first items that were left out.
#[derive(Debug, Default)]
pub(super) struct RoundTally {
    pages: u64,
    upserted: u64,
    deleted: u64,
    skipped: u64,
    named: Vec<String>,
    /// What the source says is wrong with a part of it.
    warnings: Vec<String>,
    is_doubted: bool,
}

impl RoundTally {
    pub(super) fn add(&mut self, page: StoredPage) {
        self.pages += 1;
        self.upserted += page.upserted;
        self.deleted += page.deleted;
        self.is_doubted |= page.is_doubted;
        let room = WARNINGS_TOLD_MAX.saturating_sub(self.warnings.len());
        self.warnings.extend(page.warnings.into_iter().take(room));
        for item in page.skipped {
            self.skipped += 1;
            if self.named.len() < SKIPPED_NAMED_MAX {
                let key: String = item.key.chars().take(KEY_SHOWN_CHARACTERS_MAX).collect();
                self.named.push(format!("{key}: {}", item.reason));
            }
        }
    }

    /// Whether anything was stored, a position at least.
    pub(super) const fn has_stored(&self) -> bool {
        self.pages > 0
    }

    /// The report of a round that ended so.
    pub(super) fn report(&self, end: RoundEnd) -> RoundReport {
        let message = self.message();
        let problem = message.map(|message| SourceProblem {
            code: match self.is_doubted || self.skipped > 0 {
                true => LEFT_OUT,
                false => WARNED,
            },
            message,
            status: None,
        });
        self.counted(RoundReport {
            problem,
            ..RoundReport::of(end)
        })
    }

    /// A report with these counts.
    pub(super) fn counted(&self, report: RoundReport) -> RoundReport {
        RoundReport {
            upserted: self.upserted,
            deleted: self.deleted,
            ..report
        }
    }

    fn message(&self) -> Option<String> {
        let mut said = Vec::new();
        if self.is_doubted {
            said.push(
                "the source named less than half of what is stored: nothing was deleted, and all of it is read once more"
                    .to_owned(),
            );
        }
        if self.skipped > 0 {
            let items = if self.skipped == 1 {
                "item was"
            } else {
                "items were"
            };
            let more = match self.skipped > self.named.len() as u64 {
                true => "; and others",
                false => "",
            };
            said.push(format!(
                "{} {items} left out: {}{more}",
                self.skipped,
                self.named.join("; ")
            ));
        }
        said.extend(self.warnings.iter().cloned());
        (!said.is_empty()).then(|| said.join(". "))
    }
}
