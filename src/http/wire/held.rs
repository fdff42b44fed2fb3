//! What a connection was given of which grant, and how far that has come: by this it is decided which connections an edit resets. Pure.

use sextant_actors::domain::AgentName;

/// The grant that bytes were computed under: an agent's, of one epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    /// Whose grant it is.
    pub agent: AgentName,
    /// Which edition of it.
    pub epoch: u64,
}

/// What one connection holds of which grant. Positions count all bytes written to its socket.
#[derive(Debug, Default)]
pub(super) struct HeldBytes {
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

impl HeldBytes {
    /// An answer may begin.
    pub(super) fn begin(&mut self, owner: &Owner) {
        self.amend(owner, |part| {
            part.answers += 1;
            part.is_followed = false;
        });
    }

    /// A piece of it goes into actix's buffer.
    pub(super) fn pass(&mut self, owner: &Owner) {
        self.amend(owner, |part| part.is_buffered = true);
    }

    /// The answer has ended; what it gave may still be held.
    pub(super) fn end(&mut self, owner: &Owner) {
        self.amend(owner, |part| part.answers = part.answers.saturating_sub(1));
    }

    /// So many bytes of the buffer were written to the socket.
    pub(super) fn note_written(&mut self, bytes: usize) {
        self.written += bytes as u64;
        let buffered = self.parts.iter_mut().filter(|part| part.is_buffered);
        buffered.for_each(|part| part.end = self.written);
    }

    /// The buffer is empty.
    pub(super) fn note_flushed(&mut self) {
        (self.parts.iter_mut()).for_each(|part| part.is_buffered = false);
    }

    /// Something came from the other end: a request, where none is under way.
    pub(super) fn note_read(&mut self) {
        let over = |part: &&mut Part| part.answers == 0 && !part.is_buffered;
        (self.parts.iter_mut().filter(over)).for_each(|part| part.is_followed = true);
    }

    /// Whether it may still hold bytes of an owner that is meant. `queued` is how many bytes of what was written the other end has not
    /// acknowledged; where that cannot be told, bytes count as held until a request has come after their answer.
    pub(super) fn holds(&self, is_meant: impl Fn(&Owner) -> bool, queued: Option<u64>) -> bool {
        let meant = |part: &&Part| is_meant(&part.owner);
        (self.parts.iter().filter(meant)).any(|part| part.is_held(self.written, queued))
    }

    /// Whether it knows of any other owner.
    pub(super) fn is_of_others(&self, owner: &Owner) -> bool {
        self.parts.iter().any(|part| part.owner != *owner)
    }

    /// Whether nothing was ever passed, but for what it has forgotten.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Forgets what is held no more.
    pub(super) fn forget(&mut self, queued: Option<u64>) {
        let written = self.written;
        self.parts
            .retain(|part| part.answers > 0 || part.is_held(written, queued));
    }

    /// How far the other end has taken it.
    pub(super) fn taken(&self, queued: u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(agent: &str, epoch: u64) -> Owner {
        Owner {
            agent: agent.parse().unwrap(),
            epoch,
        }
    }

    /// One answer of so many bytes, from its beginning to its end.
    fn answer(held: &mut HeldBytes, owner: &Owner, bytes: usize) {
        held.begin(owner);
        held.pass(owner);
        held.note_written(bytes);
        held.note_flushed();
        held.end(owner);
    }

    #[test]
    fn r504_bytes_are_held_until_the_other_end_has_acknowledged_the_last_of_them() {
        let (amy, bob) = (owner("amy", 1), owner("bob", 1));
        let mut held = HeldBytes::default();
        answer(&mut held, &amy, 100);
        answer(&mut held, &bob, 50);
        let holds = |queued| {
            let of = |owner: &Owner| held.holds(|other| other == owner, Some(queued));
            (of(&amy), of(&bob))
        };
        assert_eq!(holds(150), (true, true));
        assert_eq!(holds(51), (true, true));
        assert_eq!(holds(50), (false, true));
        assert_eq!(holds(1), (false, true));
        assert_eq!(holds(0), (false, false));
        assert_eq!(held.taken(50), 100);
    }

    #[test]
    fn r504_what_waits_to_be_written_is_held_whatever_the_queue_says() {
        let (amy, new) = (owner("amy", 1), owner("amy", 2));
        let mut held = HeldBytes::default();
        held.begin(&amy);
        assert!(!held.holds(|_| true, Some(0)));
        held.pass(&amy);
        assert!(held.holds(|_| true, Some(0)));
        // Half of it is written, and taken.
        held.note_written(10);
        assert!(held.holds(|_| true, Some(0)));
        held.note_flushed();
        assert!(!held.holds(|_| true, Some(0)));
        // What is written in place of an answer is of no grant.
        held.note_written(10);
        assert!(!held.holds(|_| true, Some(10)));
        assert!(held.holds(|_| true, Some(11)));
        assert!(!held.holds(|other| *other == new, Some(11)));
    }

    #[test]
    fn r504_where_nobody_can_tell_bytes_are_held_until_a_request_has_come_after_their_answer() {
        let amy = owner("amy", 1);
        let mut held = HeldBytes::default();
        held.begin(&amy);
        held.pass(&amy);
        held.note_written(10);
        held.note_flushed();
        // Whatever comes before its end says nothing of it.
        held.note_read();
        held.end(&amy);
        assert!(held.holds(|_| true, None));
        held.note_read();
        assert!(!held.holds(|_| true, None));
        answer(&mut held, &amy, 1);
        assert!(held.holds(|_| true, None));
    }

    #[test]
    fn what_is_held_no_more_is_forgotten() {
        let (amy, bob) = (owner("amy", 1), owner("bob", 1));
        let mut held = HeldBytes::default();
        answer(&mut held, &amy, 100);
        held.begin(&bob);
        assert!(held.is_of_others(&bob));
        held.forget(Some(1));
        assert!(held.is_of_others(&bob));
        held.forget(Some(0));
        assert!(
            !held.is_of_others(&bob) && !held.is_empty(),
            "bob's goes on"
        );
        held.end(&bob);
        held.forget(None);
        assert!(held.is_empty());
    }
}
