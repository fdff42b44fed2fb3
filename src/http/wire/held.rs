//! Which grant's bytes a connection may still hold; decides which connections an edit of a grant resets. Pure.

use sextant_actors::domain::AgentName;

/// The grant that bytes were computed under: one agent's, as one epoch published it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GrantEpoch {
    pub agent: AgentName,
    pub epoch: u64,
}

/// The bytes that one connection was given, by grant. Positions count all bytes ever written to its socket.
#[derive(Debug, Default)]
pub(super) struct HeldBytes {
    parts: Vec<EpochBytes>,
    written: u64,
}

/// The bytes of one grant; `end` is the position after the last of them.
#[derive(Debug)]
struct EpochBytes {
    grant: GrantEpoch,
    end: u64,
    /// Whether some may wait in actix's buffer.
    is_buffered: bool,
    /// Answers that have begun and not ended.
    answers: usize,
    /// Whether a request has arrived since the last of them ended, so that the peer has read it.
    is_followed: bool,
}

impl HeldBytes {
    /// Notes that an answer begins.
    pub(super) fn begin(&mut self, grant: &GrantEpoch) {
        self.amend(grant, |part| {
            part.answers += 1;
            part.is_followed = false;
        });
    }

    /// Notes that a piece of an answer goes into actix's buffer.
    pub(super) fn pass(&mut self, grant: &GrantEpoch) {
        self.amend(grant, |part| part.is_buffered = true);
    }

    /// Notes that an answer has ended; its bytes may still be held.
    pub(super) fn end(&mut self, grant: &GrantEpoch) {
        self.amend(grant, |part| part.answers = part.answers.saturating_sub(1));
    }

    /// Notes that this many bytes of the buffer were written to the socket.
    pub(super) fn note_written(&mut self, bytes: usize) {
        self.written += bytes as u64;
        let buffered = self.parts.iter_mut().filter(|part| part.is_buffered);
        buffered.for_each(|part| part.end = self.written);
    }

    /// Notes that the buffer is empty.
    pub(super) fn note_flushed(&mut self) {
        (self.parts.iter_mut()).for_each(|part| part.is_buffered = false);
    }

    /// Notes that bytes arrived from the peer: they begin a request where none is under way.
    pub(super) fn note_read(&mut self) {
        let over = |part: &&mut EpochBytes| part.answers == 0 && !part.is_buffered;
        (self.parts.iter_mut().filter(over)).for_each(|part| part.is_followed = true);
    }

    /// Whether it may still hold bytes of a grant for which `is_meant` is true. `queued` is the number of written bytes that the peer
    /// has not acknowledged; where it is not known, bytes count as held until a request has arrived after their answer.
    pub(super) fn holds(
        &self,
        is_meant: impl Fn(&GrantEpoch) -> bool,
        queued: Option<u64>,
    ) -> bool {
        let meant = |part: &&EpochBytes| is_meant(&part.grant);
        (self.parts.iter().filter(meant)).any(|part| part.is_held(self.written, queued))
    }

    /// Whether bytes of any other grant are remembered.
    pub(super) fn is_of_others(&self, grant: &GrantEpoch) -> bool {
        self.parts.iter().any(|part| part.grant != *grant)
    }

    /// Whether no bytes of any grant are remembered.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Forgets the grants of which nothing is held any more.
    pub(super) fn forget(&mut self, queued: Option<u64>) {
        let written = self.written;
        self.parts
            .retain(|part| part.answers > 0 || part.is_held(written, queued));
    }

    /// How many bytes the peer has acknowledged.
    pub(super) fn acknowledged_bytes(&self, queued: u64) -> u64 {
        self.written.saturating_sub(queued)
    }

    fn amend(&mut self, grant: &GrantEpoch, change: impl FnOnce(&mut EpochBytes)) {
        let known = self.parts.iter_mut().find(|part| part.grant == *grant);
        if let Some(part) = known {
            change(part);
        } else {
            let mut part = EpochBytes::of(grant.clone());
            change(&mut part);
            self.parts.push(part);
        }
    }
}

impl EpochBytes {
    fn of(grant: GrantEpoch) -> Self {
        Self {
            grant,
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

    fn grant(agent: &str, epoch: u64) -> GrantEpoch {
        GrantEpoch {
            agent: agent.parse().unwrap(),
            epoch,
        }
    }

    /// One answer of so many bytes, from its beginning to its end.
    fn answer(held: &mut HeldBytes, grant: &GrantEpoch, bytes: usize) {
        held.begin(grant);
        held.pass(grant);
        held.note_written(bytes);
        held.note_flushed();
        held.end(grant);
    }

    #[test]
    fn r504_bytes_are_held_until_the_other_end_has_acknowledged_the_last_of_them() {
        let (amy, bob) = (grant("amy", 1), grant("bob", 1));
        let mut held = HeldBytes::default();
        answer(&mut held, &amy, 100);
        answer(&mut held, &bob, 50);
        let holds = |queued| {
            let of = |grant: &GrantEpoch| held.holds(|other| other == grant, Some(queued));
            (of(&amy), of(&bob))
        };
        assert_eq!(holds(150), (true, true));
        assert_eq!(holds(51), (true, true));
        assert_eq!(holds(50), (false, true));
        assert_eq!(holds(1), (false, true));
        assert_eq!(holds(0), (false, false));
        assert_eq!(held.acknowledged_bytes(50), 100);
    }

    #[test]
    fn r504_what_waits_to_be_written_is_held_whatever_the_queue_says() {
        let (amy, new) = (grant("amy", 1), grant("amy", 2));
        let mut held = HeldBytes::default();
        held.begin(&amy);
        assert!(!held.holds(|_| true, Some(0)));
        held.pass(&amy);
        assert!(held.holds(|_| true, Some(0)));
        // Half of it is written and acknowledged.
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
        let amy = grant("amy", 1);
        let mut held = HeldBytes::default();
        held.begin(&amy);
        held.pass(&amy);
        held.note_written(10);
        held.note_flushed();
        // What arrives before the answer's end does not show that the peer has read it.
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
        let (amy, bob) = (grant("amy", 1), grant("bob", 1));
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
