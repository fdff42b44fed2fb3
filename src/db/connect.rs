//! One connection: made on a given runtime, watched by a task there.
//!
//! deadpool and tokio-postgres leave it to the caller which runtime reads the socket. A connection of the service must not die with the
//! actor that happened to ask for it first: those are made on the drivers' runtime, and agents' on that of their calls.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{CancelToken, Client, Config, Error, NoTls, Socket};

use super::tls::Tls;

/// For the connection of a server that is there.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// For a cancel request to be handed over.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects and leaves the connection's driver running on `drivers`; the task ends with the connection.
///
/// `sslmode=require` in the configuration means a checked certificate; any other mode means none is asked for, since
/// a server found without one would be talked to all the same.
pub async fn connect(config: &Config, drivers: &Handle) -> Result<(Client, JoinHandle<()>), Error> {
    connect_until(config, drivers, pending()).await
}

/// As [`connect`], but the connection is cut when `end` comes, and everything that waits for an answer on it is told so.
pub async fn connect_until(
    config: &Config,
    drivers: &Handle,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(Client, JoinHandle<()>), Error> {
    if config.get_ssl_mode() == SslMode::Require {
        dial(config, Tls, drivers, end).await
    } else {
        dial(config, NoTls, drivers, end).await
    }
}

async fn dial<T>(
    config: &Config,
    tls: T,
    drivers: &Handle,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<(Client, JoinHandle<()>), Error>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
{
    let (client, connection) = on_runtime(drivers, config.connect(tls)).await?;
    let driver = drivers.spawn(async move {
        tokio::select! {
            ended = connection => {
                if let Err(error) = ended {
                    log::debug!("database connection ended: {error}");
                }
            }
            () = end => log::debug!("database connection cut"),
        }
    });
    Ok((client, driver))
}

/// Asks the server to stop what the connection of `token` is doing; bounded, and whether it helped is not known.
pub async fn cancel(token: CancelToken, ssl_mode: SslMode) {
    let request = async {
        if ssl_mode == SslMode::Require {
            token.cancel_query(Tls).await
        } else {
            token.cancel_query(NoTls).await
        }
    };
    if !matches!(timeout(CANCEL_TIMEOUT, request).await, Ok(Ok(()))) {
        log::debug!("a cancel request did not reach the database");
    }
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
