//! The clients: their sessions and streams, on a thread of their own.

use std::thread;
use std::time::Instant;

use futures_util::future::join_all;
use tokio::sync::oneshot::{Receiver, channel};

use super::line::{Line, listening, streaming};

/// Sessions that are opened concurrently.
const AT_ONCE: usize = 50;

/// Clients that wait for the ends of their streams.
pub struct Crowd(Receiver<Instant>);

impl Crowd {
    /// Resolves when all streams are open.
    pub async fn open(address: String, key: String, count: usize) -> Self {
        let (say_open, open) = channel();
        let (say_over, over) = channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let lines = lines(&address, &key, count).await;
                say_open.send(()).unwrap();
                say_over.send(ends(lines).await).unwrap();
            });
        });
        open.await.unwrap();
        Self(over)
    }

    /// When the last stream's end was read.
    pub async fn last_byte(self) -> Instant {
        self.0.await.unwrap()
    }
}

async fn lines(address: &str, key: &str, count: usize) -> Vec<Line> {
    let mut lines = Vec::with_capacity(count);
    while lines.len() < count {
        let next = lines.len()..count.min(lines.len() + AT_ONCE);
        let opened = join_all(next.map(async |number| match number % 2 {
            0 => streaming(address, key).await,
            _ => listening(address, key, number).await,
        }));
        lines.extend(opened.await);
    }
    lines
}

/// Reads all streams concurrently, each to its end.
async fn ends(lines: Vec<Line>) -> Instant {
    let ends = join_all(lines.into_iter().map(async |line| {
        line.rest().await;
        Instant::now()
    }));
    ends.await.into_iter().max().unwrap()
}
