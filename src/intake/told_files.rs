//! Tells of one file after another, though records of several wait in one batch.
//!
//! The first file is told of at once. What comes of those after it is held until the first has ended and each of its records has been
//! answered; then the next is the first.

use std::collections::VecDeque;
use std::io;

use super::listener::{IntakeEvent, Listener, OnProgress};

/// The most files, and the most events, that are held; with more, what waits is to be sent.
const FILES_HELD_MAX: usize = 1_000;
const EVENTS_HELD_MAX: usize = 2_000;
/// A file of more bytes is told of at once, so that its progress is seen.
const SMALL_FILE_BYTES_MAX: u64 = 256 * 1024;

/// A file of which something is still to be told.
struct ToldFile {
    name: String,
    size_bytes: Option<u64>,
    /// What is to be told before its records are answered.
    events: Vec<IntakeEvent>,
    /// What is to be told once they are.
    ending: Vec<IntakeEvent>,
    /// Records that wait to be answered.
    waiting: usize,
    has_ended: bool,
}

/// The listener, and the files it has not been told of to their ends.
pub(super) struct ToldFiles<'a, L> {
    listener: &'a mut L,
    files: VecDeque<ToldFile>,
    /// The number of the first of them; files are numbered from 0 in the order in which they begin.
    first: usize,
    events_held: usize,
}

impl<'a, L: Listener> ToldFiles<'a, L> {
    pub(super) fn new(listener: &'a mut L) -> Self {
        Self {
            listener,
            files: VecDeque::new(),
            first: 0,
            events_held: 0,
        }
    }

    /// Whether what waits is to be sent before a file of this size begins, or before the next entry is read.
    pub(super) fn wants_answers(&self, next_bytes: Option<u64>) -> bool {
        let is_small = next_bytes.is_some_and(|bytes| bytes <= SMALL_FILE_BYTES_MAX);
        !self.files.is_empty() && (!is_small || self.holds_too_much())
    }

    /// Whether what waits is to be sent before the next entry of the file is read.
    pub(super) fn holds_too_much(&self) -> bool {
        self.files.len() > FILES_HELD_MAX
            || self.events_held > EVENTS_HELD_MAX
            || self.listener.is_full()
    }

    /// The next file begins.
    pub(super) fn begin(&mut self, name: &str, size_bytes: Option<u64>) -> io::Result<OnProgress> {
        let is_first = self.files.is_empty();
        self.files.push_back(ToldFile {
            name: name.to_owned(),
            size_bytes,
            events: Vec::new(),
            ending: Vec::new(),
            waiting: 0,
            has_ended: false,
        });
        match is_first {
            true => self.listener.begin_file(name, size_bytes),
            false => Ok(OnProgress::new(|_| {})),
        }
    }

    /// The number of the file that began last.
    pub(super) fn current(&self) -> usize {
        (self.first + self.files.len()).saturating_sub(1)
    }

    /// One more record of the current file waits to be answered.
    pub(super) fn wait(&mut self) {
        if let Some(file) = self.files.back_mut() {
            file.waiting += 1;
        }
    }

    /// So many records of a file have been answered, and told of.
    pub(super) fn answer(&mut self, number: usize, records: usize) -> io::Result<()> {
        if let Some(file) = self.files.get_mut(number.saturating_sub(self.first)) {
            file.waiting = file.waiting.saturating_sub(records);
        }
        self.tell_ended()
    }

    /// Tells of the file that began last.
    pub(super) fn hear(&mut self, event: IntakeEvent) -> io::Result<()> {
        self.hear_of(self.current(), event)
    }

    /// Tells of a file that has not been told of to its end.
    pub(super) fn hear_of(&mut self, number: usize, event: IntakeEvent) -> io::Result<()> {
        let place = number.saturating_sub(self.first);
        match self.files.get_mut(place).filter(|_| place > 0) {
            Some(file) => {
                file.events.push(event);
                self.events_held += 1;
                Ok(())
            }
            None => self.listener.hear(event),
        }
    }

    /// The current file ends; these events are its last, before [`IntakeEvent::FileEnded`].
    pub(super) fn end(&mut self, ending: Vec<IntakeEvent>) -> io::Result<()> {
        if let Some(file) = self.files.back_mut() {
            file.ending = ending;
            file.has_ended = true;
        }
        self.tell_ended()
    }

    /// Tells of all files to their ends, though not every record was answered.
    pub(super) fn break_off(&mut self, reason: &str) -> io::Result<()> {
        for file in &mut self.files {
            if !file.has_ended || file.waiting > 0 {
                let reason = reason.to_owned();
                file.ending.push(IntakeEvent::CutOff { reason });
            }
            file.has_ended = true;
            file.waiting = 0;
        }
        self.tell_ended()
    }

    fn tell_ended(&mut self) -> io::Result<()> {
        while let Some(file) = self
            .files
            .pop_front_if(|file| file.has_ended && file.waiting == 0)
        {
            self.first += 1;
            for event in file.ending {
                self.listener.hear(event)?;
            }
            self.listener.hear(IntakeEvent::FileEnded)?;
            self.begin_held()?;
        }
        Ok(())
    }

    /// The file that is the first now begins, with what was held of it.
    fn begin_held(&mut self) -> io::Result<()> {
        let Some(file) = self.files.front_mut() else {
            return Ok(());
        };
        self.listener.begin_file(&file.name, file.size_bytes)?;
        let events = std::mem::take(&mut file.events);
        self.events_held = self.events_held.saturating_sub(events.len());
        events
            .into_iter()
            .try_for_each(|event| self.listener.hear(event))
    }
}
