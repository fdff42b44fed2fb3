//! Opens one connection on a given runtime, with a task there that drives it.
//!
//! deadpool and tokio-postgres leave it to the caller which runtime reads the socket. A connection of the service must not end with
//! the actor that asked for it first, so it is opened on the drivers' runtime; agents' connections are opened on that of
//! their calls.

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

/// The time limit for opening a connection.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit for sending a cancel request.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects, and drives the connection in a task on `drivers`, which ends with the connection.
///
/// `sslmode=require` in the configuration means TLS with a verified certificate. In any other mode TLS is not tried, since
/// those modes accept a server without it anyway.
pub(super) async fn connect(
    config: &Config,
    drivers: &Handle,
) -> Result<(Client, JoinHandle<()>), Error> {
    connect_until(config, drivers, pending()).await
}

/// Like [`connect`], but closes the connection when `end` resolves; whatever waits for an answer on it gets an error.
pub(super) async fn connect_until(
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

/// Asks the server to cancel the statement that runs on the connection of `token`. Takes at most [`CANCEL_TIMEOUT`]; whether
/// the statement was cancelled is not known.
pub(super) async fn cancel(token: CancelToken, ssl_mode: SslMode) {
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

/// Polls `work` in the context of another runtime, so that the sockets and timers it creates belong to that one.
async fn on_runtime<F: Future>(runtime: &Handle, work: F) -> F::Output {
    let mut work = pin!(work);
    poll_fn(|context| {
        let _inside = runtime.enter();
        work.as_mut().poll(context)
    })
    .await
}
