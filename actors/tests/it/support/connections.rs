use std::sync::{Arc, Mutex};

use sextant_actors::domain::{ConnectionState, Digest, KnownConnection, OPERATOR, Sector};
use sextant_actors::ports::{ConnectionStore, PortError, PortFuture};
use uuid::Uuid;

use super::faults::{Fact, Script};

/// The table `connections`.
#[derive(Clone, Default)]
pub struct FakeConnections {
    pub on_load: Script,
    pub loading: Fact,
    rows: Arc<Mutex<Vec<KnownConnection>>>,
}

/// An active push connection; its id is made of `number`.
pub fn connection(number: u128, label: &str, sector: Sector) -> KnownConnection {
    KnownConnection {
        id: Uuid::from_u128(number),
        user: OPERATOR,
        provider: "push".to_owned(),
        label: label.to_owned(),
        sector,
        target: format!("{sector}.things"),
        state: ConnectionState::Active,
        secret: Some(Digest::of(label)),
        health: "ok".to_owned(),
        problem: None,
        last_success_at: None,
        interval: None,
        expires_at: None,
        is_sample: false,
    }
}

/// An active connection that is read from its source.
pub fn pulled(number: u128, label: &str, sector: Sector) -> KnownConnection {
    KnownConnection {
        provider: "caldav".to_owned(),
        secret: None,
        ..connection(number, label, sector)
    }
}

impl FakeConnections {
    pub fn put(&self, row: KnownConnection) {
        let mut rows = self.rows.lock().unwrap();
        rows.retain(|other| other.id != row.id);
        rows.push(row);
    }

    pub fn remove(&self, id: Uuid) {
        self.rows.lock().unwrap().retain(|row| row.id != id);
    }
}

impl ConnectionStore for FakeConnections {
    /// What is read is what stands in the table when the read begins.
    fn load(&self) -> PortFuture<Result<Vec<KnownConnection>, PortError>> {
        let (store, fault) = (self.clone(), self.on_load.next());
        let rows = self.rows.lock().unwrap().clone();
        Box::pin(async move {
            store.loading.happened();
            Script::act(fault).await?;
            Ok(rows)
        })
    }
}
