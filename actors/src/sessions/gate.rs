/// Why a session's gate was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The grant was edited, revoked or removed, or its deadline has passed.
    GrantChanged,
    /// The client ended it.
    Ended,
    /// Idle too long, or the oldest idle one made room.
    Idle,
    /// The service stops, or the session's actor crashed.
    Stopped,
}

/// The gate is closed: nothing computed under the old grant may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateClosed(pub CloseReason);

/// Shared by a session and everything that hands out its bytes. Once closed it never opens again.
#[derive(Clone)]
pub struct Gate;

impl Gate {
    /// Runs `hand_over` while the gate is held open; closing waits until it has returned.
    ///
    /// # Errors
    /// When the gate is closed.
    pub fn pass<T>(&self, _hand_over: impl FnOnce() -> T) -> Result<T, GateClosed> {
        unimplemented!()
    }
    /// Why it is closed, if it is.
    pub fn state(&self) -> Option<CloseReason> {
        unimplemented!()
    }
    /// Waits until it is closed.
    pub async fn closed(&self) -> CloseReason {
        unimplemented!()
    }
}
