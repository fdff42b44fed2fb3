//! The sources that are listened to now, and can be acted on.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use sextant_connectors::action::Actuator;
use uuid::Uuid;

type Reachable = HashMap<Uuid, Arc<dyn Actuator>>;

/// What can be acted on, by connection, as long as it is listened to.
#[derive(Clone, Default)]
pub struct LiveHomes(Arc<RwLock<Reachable>>);

/// A source stands in the list until this is dropped.
pub(super) struct Entered {
    homes: LiveHomes,
    connection: Uuid,
    actuator: Arc<dyn Actuator>,
}

impl LiveHomes {
    /// What can be done at a connection's source, if it is listened to now.
    pub(crate) fn get(&self, connection: Uuid) -> Option<Arc<dyn Actuator>> {
        let reachable = self.0.read().unwrap_or_else(PoisonError::into_inner);
        reachable.get(&connection).cloned()
    }

    /// Enters a source that is listened to from now on.
    pub(super) fn enter(&self, connection: Uuid, actuator: Arc<dyn Actuator>) -> Entered {
        let mut reachable = self.0.write().unwrap_or_else(PoisonError::into_inner);
        reachable.insert(connection, Arc::clone(&actuator));
        Entered {
            homes: self.clone(),
            connection,
            actuator,
        }
    }
}

impl Drop for Entered {
    /// Another one that was entered in its place stays.
    fn drop(&mut self) {
        let mut reachable = self.homes.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_own = reachable
            .get(&self.connection)
            .is_some_and(|entered| Arc::ptr_eq(entered, &self.actuator));
        if is_own {
            reachable.remove(&self.connection);
        }
    }
}
