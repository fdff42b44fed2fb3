//! One connection: made on the drivers' runtime, watched by a task there.
//!
//! deadpool and tokio-postgres leave it to the caller which runtime reads the socket; a connection must not die
//! with the actor that happened to ask for it first.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Config, Error, NoTls};

/// For the connection of a server that is there.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects and leaves the connection's driver running on `drivers`; the task ends with the connection.
pub async fn connect(config: &Config, drivers: &Handle) -> Result<(Client, JoinHandle<()>), Error> {
    let (client, connection) = on_runtime(drivers, config.connect(NoTls)).await?;
    let driver = drivers.spawn(async move {
        if let Err(error) = connection.await {
            log::debug!("database connection ended: {error}");
        }
    });
    Ok((client, driver))
}

/// Polls `work` inside another runtime, so that the sockets and timers it makes belong to that one.
async fn on_runtime<F: Future>(runtime: &Handle, work: F) -> F::Output {
    let mut work = pin!(work);
    poll_fn(|context| {
        let _inside = runtime.enter();
        work.as_mut().poll(context)
    })
    .await
}
