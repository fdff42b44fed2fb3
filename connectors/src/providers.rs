//! The providers there are, each one file.

mod home_assistant;
mod icloud;
mod own_server;
mod sealed;
mod way_out;

pub use way_out::{SignInLegs, WayOut};

use self::home_assistant::Home;
use self::icloud::ICloud;
use self::own_server::OwnServer;
use crate::provider::PastedProvider;

/// The word of each whose credential is entered, in the order of [`pasted`].
pub const PASTED_IDS: [&str; 3] = [icloud::ID, own_server::ID, home_assistant::ID];

/// Those whose credential is entered, each with the way out of its settings.
pub fn pasted(way_out: impl Fn(&str) -> WayOut) -> Vec<Box<dyn PastedProvider>> {
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
        let pasted = pasted(|_| WayOut::default());
        let words: Vec<_> = pasted.iter().map(|provider| provider.id()).collect();
        assert_eq!(words, PASTED_IDS);
    }
}
