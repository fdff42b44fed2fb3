//! A connection lent to one transaction. Abandoned in the middle it is closed: whoever got it next would wait behind what
//! was left of the other's work, perhaps for a lock that nobody asks for any more.

use deadpool_postgres::Object;

use super::error::StoreError;

/// A connection until the transaction on it has ended.
pub struct Lent(Option<Object>);

impl Lent {
    pub const fn new(connection: Object) -> Self {
        Self(Some(connection))
    }

    pub fn connection(&mut self) -> Result<&mut Object, StoreError> {
        let given_up = || StoreError::Unavailable {
            cause: "the connection was given up".into(),
        };
        self.0.as_mut().ok_or_else(given_up)
    }

    /// Every answer has been read: it may go back to the pool.
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
