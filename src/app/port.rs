//! A port on its way from bound to served. Ports are bound before the database is opened, so that a port in use fails at once, and
//! listen when everything else has started.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};

use actix_web::dev::{Server, ServerHandle};
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;

use super::{Settings, StartError};

/// Connections that may wait to be accepted; the kernel has a bound of its own below it.
const BACKLOG: u32 = 4096;

/// Both ports, bound and not yet listening: until the service has started, connections to them are refused.
pub(super) struct HeldPorts {
    pub console: HeldPort,
    pub agents: HeldPort,
}

impl HeldPorts {
    /// Binds both ports.
    ///
    /// # Errors
    /// Which port cannot be bound.
    pub(super) fn take(settings: &Settings) -> Result<Self, StartError> {
        Ok(Self {
            console: HeldPort::take(settings.bind, settings.console_port, "REST_PORT")?,
            agents: HeldPort::take(settings.bind, settings.agent_port, "MCP_PORT")?,
        })
    }
}

/// A port that is bound and does not listen.
pub(super) struct HeldPort {
    socket: TcpSocket,
    address: SocketAddr,
    setting: &'static str,
}

impl HeldPort {
    fn take(address: IpAddr, port: u16, setting: &'static str) -> Result<Self, StartError> {
        let address = SocketAddr::new(address, port);
        let socket = bind(address).map_err(|cause| StartError::Port {
            address,
            setting,
            cause,
        })?;
        let address = socket.local_addr().map_err(StartError::Server)?;
        Ok(Self {
            socket,
            address,
            setting,
        })
    }

    /// Has the port listen. Two programs can bind one port with `SO_REUSEADDR`; the second to listen fails here.
    ///
    /// # Errors
    /// When another program listens on it.
    pub(super) fn listen(self) -> Result<ListeningPort, StartError> {
        let (address, setting) = (self.address, self.setting);
        let listener = self.socket.listen(BACKLOG);
        let listener = listener.and_then(tokio::net::TcpListener::into_std);
        let listener = listener.map_err(|cause| StartError::Port {
            address,
            setting,
            cause,
        })?;
        Ok(ListeningPort { listener, address })
    }
}

/// Binds as the standard library does: a port in `TIME_WAIT` counts as free.
fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let make = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4,
        SocketAddr::V6(_) => TcpSocket::new_v6,
    };
    let socket = make()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// A port that listens.
pub(super) struct ListeningPort {
    listener: TcpListener,
    pub address: SocketAddr,
}

impl ListeningPort {
    pub(super) fn build(
        self,
        serve: impl FnOnce(TcpListener) -> io::Result<Server>,
    ) -> Result<BuiltServer, StartError> {
        let server = serve(self.listener).map_err(StartError::Server)?;
        Ok(BuiltServer {
            server,
            address: self.address,
        })
    }
}

/// A server that is not polled yet.
pub(super) struct BuiltServer {
    server: Server,
    address: SocketAddr,
}

impl BuiltServer {
    pub(super) fn run(self) -> RunningServer {
        RunningServer {
            address: self.address,
            handle: self.server.handle(),
            task: actix_web::rt::spawn(self.server),
        }
    }
}

/// A server that accepts connections.
pub(super) struct RunningServer {
    pub address: SocketAddr,
    pub handle: ServerHandle,
    /// Drives the server.
    pub task: JoinHandle<io::Result<()>>,
}
