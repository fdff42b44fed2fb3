//! A stand-in as a server, behind its contract.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::contracts::Held;
use super::faults::Law;
use super::{Account, StandIn, answer, wire};
use crate::support::sink::Sink;

/// The server. It ends with its runtime. When it is dropped, the test fails if the contract was broken.
pub struct Served {
    pub address: SocketAddr,
    violations: Arc<Mutex<Vec<String>>>,
    is_suspended: Arc<AtomicBool>,
    _sink: Sink,
}

impl<A: Account> StandIn<A> {
    /// Serves it on a free port, over TLS if there is a certificate with its key.
    pub async fn serve(&self, test: &str, certificate: Option<(&Path, &Path)>) -> Served {
        let account: Arc<Mutex<dyn Account>> = Arc::clone(&self.0) as _;
        let held = Held::new(test, &account);
        let violations: Arc<Mutex<Vec<String>>> = Arc::default();
        let is_suspended: Arc<AtomicBool> = Arc::default();
        let (found, suspended) = (Arc::clone(&violations), Arc::clone(&is_suspended));
        let sink = Sink::start(certificate, move |request| {
            let held = held.as_ref().filter(|_| !suspended.load(Ordering::Relaxed));
            let (answer, wrong) = pass(&account, held, request);
            found.lock().unwrap().extend(wrong);
            let target = wire::target(request);
            account.lock().unwrap().faults().cut(target, answer)
        });
        let sink = sink.await;
        Served {
            address: sink.address,
            violations,
            is_suspended,
            _sink: sink,
        }
    }
}

/// The answer, and what is wrong with it or the request.
fn pass(
    account: &Mutex<dyn Account>,
    held: Option<&Held>,
    request: &str,
) -> (Vec<u8>, Vec<String>) {
    let mut own = account.lock().unwrap();
    if let Some(broken) = answer(&mut *own, request, Law::Broken) {
        return (broken, Vec::new());
    }
    let Some(held) = held else {
        return (answer(&mut *own, request, Law::Kept).unwrap(), Vec::new());
    };
    let contract = own.contract(wire::target(request));
    drop(own);
    held.pass(contract, request)
}

impl Served {
    /// From now on the account may have what no provider has.
    pub fn suspend_contract(&self) {
        self.is_suspended.store(true, Ordering::Relaxed);
    }

    /// What was against the contract since the last time.
    pub fn violations(&self) -> Vec<String> {
        std::mem::take(&mut self.violations.lock().unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.violations(), [""; 0]);
        }
    }
}
