//! The providers there are, each one file.

mod home_assistant;
mod icloud;
mod own_server;
mod sealed;
mod way_out;

pub use way_out::WayOut;

use self::home_assistant::Home;
use self::icloud::ICloud;
use self::own_server::OwnServer;
use crate::provider::Provider;

/// The word of each in settings and rows, in the order of [`all`].
pub const IDS: [&str; 3] = [icloud::ID, own_server::ID, home_assistant::ID];

/// All of them, each with the way out of its settings.
pub fn all(way_out: impl Fn(&str) -> WayOut) -> Vec<Box<dyn Provider>> {
    vec![
        Box::new(ICloud::new(way_out(icloud::ID))),
        Box::new(OwnServer::new(way_out(own_server::ID))),
        Box::new(Home::new(way_out(home_assistant::ID))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_word() {
        let all = all(|_| WayOut::default());
        let words: Vec<_> = all.iter().map(|provider| provider.id()).collect();
        assert_eq!(words, IDS);
    }
}
