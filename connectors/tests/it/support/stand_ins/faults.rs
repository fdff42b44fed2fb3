//! What a test has a stand-in answer in place of the provider.

use std::collections::VecDeque;

/// Whether an answer is one that the provider's contract has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// It is held to the contract, as the provider's own answers are.
    Kept,
    /// No provider would answer like that: it is given without asking the contract.
    Broken,
}

/// What is answered to a path and query.
type Answers = dyn Fn(&str) -> Vec<u8> + Send;

struct Fault {
    /// Only to requests whose path or query has this in it.
    on: &'static str,
    law: Law,
    is_once: bool,
    answer: Box<Answers>,
}

/// Faults in the order in which they come: to each request the first that fits.
#[derive(Default)]
pub struct Faults {
    waiting: VecDeque<Fault>,
    /// Requests whose answers are cut off, once each.
    cut: VecDeque<&'static str>,
}

impl Faults {
    /// The next request with this in its path or query is answered so.
    pub fn once(
        &mut self,
        on: &'static str,
        law: Law,
        answer: impl Fn(&str) -> Vec<u8> + Send + 'static,
    ) {
        self.add(on, law, true, Box::new(answer));
    }

    /// Every request with this in its path or query is answered so.
    pub fn always(
        &mut self,
        on: &'static str,
        law: Law,
        answer: impl Fn(&str) -> Vec<u8> + Send + 'static,
    ) {
        self.add(on, law, false, Box::new(answer));
    }

    /// The connection ends in the middle of the next answer to such a request.
    pub fn cut_off(&mut self, on: &'static str) {
        self.cut.push_back(on);
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn add(&mut self, on: &'static str, law: Law, is_once: bool, answer: Box<Answers>) {
        self.waiting.push_back(Fault {
            on,
            law,
            is_once,
            answer,
        });
    }

    pub(super) fn take(&mut self, target: &str, law: Law) -> Option<Vec<u8>> {
        let first = self
            .waiting
            .iter()
            .position(|fault| target.contains(fault.on))?;
        let fault = self.waiting.get(first).filter(|fault| fault.law == law)?;
        let answer = (fault.answer)(target);
        if fault.is_once {
            self.waiting.remove(first);
        }
        Some(answer)
    }

    /// An answer, or what comes of one that is cut off: its head, and half of its body.
    pub(super) fn cut(&mut self, target: &str, mut answer: Vec<u8>) -> Vec<u8> {
        if let Some(first) = self.cut.iter().position(|on| target.contains(on)) {
            self.cut.remove(first);
            let head = answer
                .windows(4)
                .position(|four| four == b"\r\n\r\n")
                .unwrap()
                + 4;
            answer.truncate(usize::midpoint(head, answer.len()));
        }
        answer
    }
}
