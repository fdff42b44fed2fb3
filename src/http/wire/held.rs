//! What a connection was given of which grant, and how far that has come: the account by which it is decided who is reset. Pure.

use sextant_actors::domain::AgentName;

/// The grant that bytes were computed under: an agent's, of one epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub agent: AgentName,
    pub epoch: u64,
}

/// The account of one connection. Positions count all bytes written to its socket.
#[derive(Debug, Default)]
pub struct Held {
    parts: Vec<Part>,
    written: u64,
}

/// The bytes of one owner: none of them lies behind `end`.
#[derive(Debug)]
struct Part {
    owner: Owner,
    end: u64,
    /// Some may wait in actix's buffer.
    is_buffered: bool,
    /// Answers that have begun and not ended.
    answers: usize,
    /// A request has come since the last of them ended.
    is_followed: bool,
}

impl Held {
    /// An answer may begin.
    pub fn begin(&mut self, owner: &Owner) {
        self.amend(owner, |part| {
            part.answers += 1;
            part.is_followed = false;
        });
    }

    /// A piece of it goes into actix's buffer.
    pub fn pass(&mut self, owner: &Owner) {
        self.amend(owner, |part| part.is_buffered = true);
    }

    /// The answer has ended; what it gave may still be held.
    pub fn end(&mut self, owner: &Owner) {
        self.amend(owner, |part| part.answers = part.answers.saturating_sub(1));
    }

    /// So many bytes of the buffer were written to the socket.
    pub fn wrote(&mut self, bytes: usize) {
        self.written += bytes as u64;
        let buffered = self.parts.iter_mut().filter(|part| part.is_buffered);
        buffered.for_each(|part| part.end = self.written);
    }

    /// The buffer is empty.
    pub fn flushed(&mut self) {
        (self.parts.iter_mut()).for_each(|part| part.is_buffered = false);
    }

    /// Something came from the other end: a request, where none is under way.
    pub fn read(&mut self) {
        let over = |part: &&mut Part| part.answers == 0 && !part.is_buffered;
        (self.parts.iter_mut().filter(over)).for_each(|part| part.is_followed = true);
    }

    /// Whether it may still hold bytes of an owner that is meant. `queued` is how many bytes of what was written the other end has not
    /// acknowledged; where nobody can tell, bytes count as held until a request has come after their answer.
    pub fn holds(&self, is_meant: impl Fn(&Owner) -> bool, queued: Option<u64>) -> bool {
        let meant = |part: &&Part| is_meant(&part.owner);
        (self.parts.iter().filter(meant)).any(|part| part.is_held(self.written, queued))
    }

    /// Whether anything was ever passed that it has not forgotten.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Forgets what is held no more.
    pub fn forget(&mut self, queued: Option<u64>) {
        let written = self.written;
        self.parts
            .retain(|part| part.answers > 0 || part.is_held(written, queued));
    }

    /// How far the other end has taken it.
    pub fn taken(&self, queued: u64) -> u64 {
        self.written.saturating_sub(queued)
    }

    fn amend(&mut self, owner: &Owner, change: impl FnOnce(&mut Part)) {
        let known = self.parts.iter_mut().find(|part| part.owner == *owner);
        if let Some(part) = known {
            change(part);
        } else {
            let mut part = Part::of(owner.clone());
            change(&mut part);
            self.parts.push(part);
        }
    }
}

impl Part {
    fn of(owner: Owner) -> Self {
        Self {
            owner,
            end: 0,
            is_buffered: false,
            answers: 0,
            is_followed: false,
        }
    }

    fn is_held(&self, written: u64, queued: Option<u64>) -> bool {
        self.is_buffered
            || match queued {
                Some(queued) => written.saturating_sub(queued) < self.end,
                None => self.end > 0 && !self.is_followed,
            }
    }
}
