//! What providers publish of their interfaces. A request and its answer are held to it by programs that nobody here wrote.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::faults::Law;
use super::prism::{self, Numbered};
use super::{Account, answer, parameters, types, wire};
use crate::support::skipped;

/// One that is published.
#[derive(Clone, Copy, Debug)]
pub enum Contract {
    GoogleCalendar,
    GooglePeople,
    /// The types of Microsoft Graph: of requests it says no more than which fields there are.
    Graph,
    Whoop,
    EnableBanking,
    /// SimpleFIN publishes a text and no schema: only its independent client holds to anything.
    Unpublished,
}

/// An account behind its contracts.
pub struct Held {
    account: Arc<Mutex<dyn Account>>,
    numbered: Numbered,
}

impl Contract {
    /// Whether who holds to it is installed.
    pub fn is_here(self) -> bool {
        match self {
            Self::Graph => peers().join("graph/bin/python").exists(),
            Self::Unpublished => true,
            Self::EnableBanking => peers()
                .join("contracts/enable-banking.openapi.json")
                .exists(),
            _ => peers().join("contracts/installed").exists(),
        }
    }

    /// Its document for prism.
    const fn document(self) -> Option<&'static str> {
        match self {
            Self::GoogleCalendar => Some("calendar"),
            Self::GooglePeople => Some("people"),
            Self::Whoop => Some("whoop"),
            Self::EnableBanking => Some("enable-banking"),
            Self::Graph | Self::Unpublished => None,
        }
    }
}

impl Held {
    /// Puts an account behind its contracts; `None` where nobody is installed who holds it to them, which is said.
    pub fn new(test: &str, account: &Arc<Mutex<dyn Account>>) -> Option<Self> {
        let contract = account.lock().unwrap().contract("");
        if !contract.is_here() {
            let missing =
                format!("{contract:?}: its contract is missing; run tests/peers/install.sh");
            skipped::for_want_of(test, &missing);
            return None;
        }
        Some(Self {
            account: Arc::clone(account),
            numbered: prism::number(account),
        })
    }

    /// The answer to a request's text, and what is wrong with either.
    pub fn pass(&self, contract: Contract, request: &str) -> (Vec<u8>, Vec<String>) {
        let (answer, wrong) = match contract.document() {
            Some(document) => {
                let (answer, mut wrong) = self.numbered.pass(document, request);
                wrong.extend(parameters::unknown(document, request));
                (answer, wrong)
            }
            None => {
                let account = &mut *self.account.lock().unwrap();
                let answer = answer(account, request, Law::Kept).unwrap();
                let wrong = match contract {
                    Contract::Unpublished => Vec::new(),
                    _ => types::wrong(request, &answer),
                };
                (answer, wrong)
            }
        };
        let target = wire::target(request);
        let wrong = wrong.into_iter().map(|wrong| format!("{target}: {wrong}"));
        (answer, wrong.collect())
    }
}

/// What `tests/peers/install.sh` installed; the tests of several crates use this file.
pub fn peers() -> PathBuf {
    root().join("target/peers")
}

/// The root of the repository.
pub fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("tests/peers").is_dir());
    root.unwrap()
}
