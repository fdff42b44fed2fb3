//! Restarts that somebody asks for. They are no crashes: no policy decides on them, and none is counted as one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

/// Why an actor was not restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartRefusal {
    /// No actor has this id.
    Unknown,
    /// Many temporary actors stand under this id, and none of them is ever restarted.
    Temporary,
    /// It does not run now.
    NotRunning,
    /// It has been asked to restart, and has not yet.
    AlreadyAsked,
    /// It ended or crashed before it had restarted.
    Lost,
    /// It has not restarted in time, and will as soon as its thread comes to it.
    Late,
}

/// How many others the latest restart of an actor ended: the actor notes it as it restarts, and whoever asked for the restart is told.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestartToll(Arc<AtomicUsize>);

impl RestartToll {
    pub(crate) fn note(&self, ended: usize) {
        self.0.store(ended, Ordering::Release);
    }

    fn read(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

/// One wish for a restart. Dropped before it is fulfilled, it says that the actor was lost.
pub(super) struct RestartOrder(oneshot::Sender<Option<usize>>);

/// Where restarts of one actor are ordered; one at a time.
pub(super) struct RestartDoor(mpsc::Sender<RestartOrder>);

/// The orders as the actor's guard takes them.
pub(super) struct RestartOrders {
    orders: mpsc::Receiver<RestartOrder>,
    toll: Option<RestartToll>,
}

/// The two ends of an actor's orders; `toll` is what the actor notes, if it does.
pub(super) fn open_orders(toll: Option<RestartToll>) -> (RestartDoor, RestartOrders) {
    let (door, orders) = mpsc::channel(1);
    (RestartDoor(door), RestartOrders { orders, toll })
}

impl RestartDoor {
    /// Whether nobody takes orders any more.
    pub(super) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Orders a restart; resolves with its toll when it has happened.
    pub(super) fn order(&self) -> Result<oneshot::Receiver<Option<usize>>, RestartRefusal> {
        let (fulfilled, restarted) = oneshot::channel();
        match self.0.try_send(RestartOrder(fulfilled)) {
            Ok(()) => Ok(restarted),
            Err(TrySendError::Full(_)) => Err(RestartRefusal::AlreadyAsked),
            Err(TrySendError::Closed(_)) => Err(RestartRefusal::Lost),
        }
    }
}

impl RestartOrders {
    /// No order is taken any more.
    pub(super) fn close(&mut self) {
        self.orders.close();
    }

    /// The next order. When there is none, the task is woken by the next one.
    pub(super) fn next(&mut self, task: &mut Context<'_>) -> Option<RestartOrder> {
        match self.orders.poll_recv(task) {
            Poll::Ready(order) => order,
            Poll::Pending => None,
        }
    }

    /// Tells whoever gave the order that the actor has restarted.
    pub(super) fn fulfil(&self, order: RestartOrder) {
        // Whoever gave it may have stopped waiting.
        let _ = order.0.send(self.toll.as_ref().map(RestartToll::read));
    }
}
