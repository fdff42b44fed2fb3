//! A connection for one transaction. If the transaction is abandoned, the connection is closed instead of returned to the pool:
//! its next user would wait for the abandoned statement, perhaps for a lock that nobody needs any more.

use deadpool_postgres::Object;

use super::error::StoreError;

/// A connection until the transaction on it has ended.
pub struct Lent(Option<Object>);

impl Lent {
    /// Takes a connection of a pool.
    pub const fn new(connection: Object) -> Self {
        Self(Some(connection))
    }

    /// The connection.
    ///
    /// # Errors
    /// Never before [`Self::give_back`].
    pub fn connection(&mut self) -> Result<&mut Object, StoreError> {
        let given_up = || StoreError::Unavailable {
            cause: "the connection was given up".into(),
        };
        self.0.as_mut().ok_or_else(given_up)
    }

    /// Returns the connection to the pool. Call it only when every answer has been read.
    pub fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(Object::take(connection));
        }
    }
}
