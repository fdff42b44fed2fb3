use std::collections::BTreeMap;

/// How often each kind of event occurred.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    pub fn note(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    pub fn add(&mut self, other: Tally) {
        for (what, times) in other.0 {
            *self.0.entry(what).or_default() += times;
        }
    }

    /// The events that occurred less often than a play needs to prove anything.
    pub fn rare(&self, wanted: &[(&'static str, u64)]) -> Vec<&'static str> {
        let times = |what: &str| self.0.get(what).copied().unwrap_or_default();
        let rare = wanted.iter().filter(|(what, least)| times(what) < *least);
        rare.map(|(what, _)| *what).collect()
    }

    pub fn lines(&self) -> String {
        let line = |(what, times): (&&str, &u64)| format!("{times:>8} {what}\n");
        self.0.iter().map(line).collect()
    }
}
