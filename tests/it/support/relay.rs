//! A way to a server that a test leads elsewhere, or holds. The bytes pass unchanged.

use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Clone, Copy)]
struct Way {
    to: SocketAddr,
    is_held: bool,
}

/// The way. It ends with its runtime.
pub struct Relay {
    pub address: SocketAddr,
    way: watch::Sender<Way>,
    /// Messages to the server that wait.
    held: watch::Sender<usize>,
}

impl Relay {
    /// Starts one that leads to `to`, on a free port.
    pub async fn start(to: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let is_held = false;
        let way = watch::Sender::new(Way { to, is_held });
        let held = watch::Sender::new(0);
        let (followed, counted) = (way.subscribe(), held.clone());
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(converse(near, followed.clone(), counted.clone()));
            }
        });
        Self { address, way, held }
    }

    /// Leads elsewhere; what is connected is cut.
    pub fn lead(&self, to: SocketAddr) {
        self.way.send_modify(|way| way.to = to);
    }

    /// Lets nothing pass, until [`Self::release`].
    pub fn hold(&self) {
        self.way.send_modify(|way| way.is_held = true);
    }

    /// Returns when something to the server waits.
    pub async fn holds_something(&self) {
        let mut held = self.held.subscribe();
        held.wait_for(|held| *held > 0).await.unwrap();
    }

    /// Lets pass what was held.
    pub fn release(&self) {
        self.way.send_modify(|way| way.is_held = false);
    }
}

async fn converse(near: TcpStream, way: watch::Receiver<Way>, held: watch::Sender<usize>) {
    let to = way.borrow().to;
    let Ok(far) = TcpStream::connect(to).await else {
        return;
    };
    let (mut from_near, mut to_near) = near.into_split();
    let (mut from_far, mut to_far) = far.into_split();
    let mut elsewhere = way.clone();
    let both = async {
        tokio::join!(
            pass(&mut from_near, &mut to_far, way.clone(), Some(&held)),
            pass(&mut from_far, &mut to_near, way.clone(), None),
        )
    };
    tokio::select! {
        _ = both => {}
        _ = elsewhere.wait_for(|way| way.to != to) => {}
    }
}

/// Passes bytes on until one side has no more, or wants none.
async fn pass(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    mut way: watch::Receiver<Way>,
    held: Option<&watch::Sender<usize>>,
) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        if let Some(held) = held
            && way.borrow().is_held
        {
            held.send_modify(|held| *held += 1);
        }
        if way.wait_for(|way| !way.is_held).await.is_err()
            || to.write_all(&buffer[..read]).await.is_err()
        {
            break;
        }
    }
    let _ = to.shutdown().await;
}
