use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::limits::CRASHES_MAX;

/// The latest crashes of one actor, no more of them than decide anything.
#[derive(Debug, Default)]
pub(super) struct Crashes(VecDeque<Instant>);

impl Crashes {
    /// Notes a crash; how many there were within `window`, this one included.
    pub(super) fn note(&mut self, now: Instant, window: Duration) -> u32 {
        self.0.push_back(now);
        self.0.retain(|at| now.duration_since(*at) < window);
        while self.0.len() > CRASHES_MAX as usize {
            self.0.pop_front();
        }
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_crashes_within_the_window_count() {
        let window = Duration::from_secs(60);
        let start = Instant::now();
        let mut crashes = Crashes::default();
        let counted: Vec<u32> = [0, 10, 59, 60, 200]
            .into_iter()
            .map(|second| crashes.note(start + Duration::from_secs(second), window))
            .collect();
        assert_eq!(counted, [1, 2, 3, 3, 1]);
    }
}
