//! What an operator should be told about a configuration that is in order and still worth a thought.

use super::Config;

impl Config {
    /// One sentence each: a Console open to others, a zone that was guessed, a provider that is diverted.
    pub fn notices(&self) -> Vec<String> {
        let own = [self.reachable_from_elsewhere(), self.guessed_zone()];
        let own = own.into_iter().flatten();
        own.chain(self.providers.diverted()).collect()
    }

    fn reachable_from_elsewhere(&self) -> Option<String> {
        (!self.bind.is_loopback()).then(|| {
            format!(
                "both ports listen on {}, and the Console port asks for no login: let nobody else reach it",
                self.bind
            )
        })
    }

    fn guessed_zone(&self) -> Option<String> {
        (!self.zone.source.is_set()).then(|| {
            "no time zone is set, so days begin by UTC: set timezone in config.toml, or TIMEZONE, to your zone, such as Europe/Berlin"
                .into()
        })
    }
}
