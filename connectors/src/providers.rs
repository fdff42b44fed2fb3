//! The providers there are, each one file.

mod bank_app;
mod consent_way;
mod google;
mod home_assistant;
mod icloud;
mod microsoft;
mod own_server;
mod sealed;
mod simplefin;
mod way_out;
mod whoop;

pub use way_out::{SignInLegs, WayOut};

use self::bank_app::EnableBanking;
use self::google::Google;
use self::home_assistant::Home;
use self::icloud::ICloud;
use self::microsoft::Microsoft;
use self::own_server::OwnServer;
use self::simplefin::SimpleFin;
use self::whoop::Whoop;
use crate::failure::SourceFailure;
use crate::provider::{ConsentedProvider, LinkedProvider, PastedProvider};

/// The word of each whose credential is entered, in the order of [`pasted`].
pub const PASTED_IDS: [&str; 4] = [
    icloud::ID,
    own_server::ID,
    home_assistant::ID,
    simplefin::ID,
];

/// Those whose credential is entered, each with the way out of its settings.
pub fn pasted(way_out: impl Fn(&str) -> WayOut) -> Vec<Box<dyn PastedProvider>> {
    vec![
        Box::new(ICloud::new(way_out(icloud::ID))),
        Box::new(OwnServer::new(way_out(own_server::ID))),
        Box::new(Home::new(way_out(home_assistant::ID))),
        Box::new(SimpleFin::new(way_out(simplefin::ID))),
    ]
}

/// The word of each at which a person consents, in the order of [`consented`].
pub const CONSENTED_IDS: [&str; 3] = [google::ID, microsoft::ID, whoop::ID];

/// Those at which a person consents, each with the way out of its settings.
///
/// # Errors
/// Never, as far as anybody knows: their own addresses are addresses.
pub fn consented(
    way_out: impl Fn(&str) -> WayOut,
) -> Result<Vec<Box<dyn ConsentedProvider>>, SourceFailure> {
    Ok(vec![
        Box::new(Google::new(way_out(google::ID))?),
        Box::new(Microsoft::new(way_out(microsoft::ID))?),
        Box::new(Whoop::new(way_out(whoop::ID))?),
    ])
}

/// The word of each at which banks are linked, in the order of [`linked`].
pub const LINKED_IDS: [&str; 1] = [bank_app::ID];

/// Those at which the operator has an application and links banks, each with the way out of its settings.
pub fn linked(way_out: impl Fn(&str) -> WayOut) -> Vec<Box<dyn LinkedProvider>> {
    vec![Box::new(EnableBanking::new(way_out(bank_app::ID)))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_word() {
        let pasted = pasted(|_| WayOut::default());
        let words: Vec<_> = pasted.iter().map(|provider| provider.id()).collect();
        assert_eq!(words, PASTED_IDS);
        let consented = consented(|_| WayOut::default()).unwrap();
        let words: Vec<_> = consented.iter().map(|provider| provider.id()).collect();
        assert_eq!(words, CONSENTED_IDS);
        let linked = linked(|_| WayOut::default());
        let words: Vec<_> = linked.iter().map(|provider| provider.id()).collect();
        assert_eq!(words, LINKED_IDS);
    }
}
