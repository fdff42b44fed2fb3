//! The response body of an export: a bounded channel from the task that writes it. A body whose sender is dropped without
//! [`BodySender::end`] ends in an error, so that no client takes a part for the whole.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::ExportError;

/// Chunks that wait for the client.
const WAITING_MAX: usize = 4;

enum Chunk {
    Bytes(Bytes),
    End,
}

/// The sending end.
pub struct BodySender {
    chunks: mpsc::Sender<Chunk>,
    stall_max: Duration,
}

/// The receiving end, streamed to the client.
pub struct ExportBody {
    chunks: mpsc::Receiver<Chunk>,
    is_over: bool,
}

/// The body ended before all of it was there.
#[derive(Debug)]
pub struct CutShort;

impl fmt::Display for CutShort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the export was cut short")
    }
}

impl std::error::Error for CutShort {}

/// Both ends; `stall_max` is how long the client may take nothing.
pub fn body_channel(stall_max: Duration) -> (BodySender, ExportBody) {
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    let sender = BodySender {
        chunks: sender,
        stall_max,
    };
    let body = ExportBody {
        chunks: receiver,
        is_over: false,
    };
    (sender, body)
}

impl BodySender {
    /// Sends a chunk, when there is room for it.
    ///
    /// # Errors
    /// [`ExportError::Gone`] or [`ExportError::Stalled`].
    pub async fn send(&self, bytes: Bytes) -> Result<(), ExportError> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Some(room) = self.room(1).await?.next() {
            room.send(Chunk::Bytes(bytes));
        }
        Ok(())
    }

    /// Resolves when the client has taken every chunk.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub(crate) async fn wait_until_taken(&self) -> Result<(), ExportError> {
        self.room(WAITING_MAX).await.map(drop)
    }

    /// Marks the body as whole. To be called after [`Self::wait_until_taken`].
    pub fn end(self) {
        // A client that has closed by now has everything.
        let _gone = self.chunks.try_send(Chunk::End);
    }

    async fn room(&self, chunks: usize) -> Result<mpsc::PermitIterator<'_, Chunk>, ExportError> {
        match timeout(self.stall_max, self.chunks.reserve_many(chunks)).await {
            Ok(Ok(permits)) => Ok(permits),
            Ok(Err(_closed)) => Err(ExportError::Gone),
            Err(_too_long) => Err(ExportError::Stalled),
        }
    }
}

impl Stream for ExportBody {
    type Item = Result<Bytes, CutShort>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let chunk = ready!(self.chunks.poll_recv(context));
        if let Some(Chunk::Bytes(bytes)) = chunk {
            return Poll::Ready(Some(Ok(bytes)));
        }
        self.is_over = true;
        Poll::Ready(match chunk {
            Some(_end) => None,
            None => Some(Err(CutShort)),
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, StreamExt as _};

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn a_body_is_whole_only_if_that_was_said() {
        let (sender, body) = body_channel(LONG);
        sender.send(Bytes::from_static(b"a")).await.unwrap();
        sender.send(Bytes::new()).await.unwrap();
        sender.end();
        let chunks: Vec<_> = body.collect().await;
        assert!(matches!(chunks.as_slice(), [Ok(_)]), "{chunks:?}");

        let (sender, body) = super::body_channel(LONG);
        sender.send(Bytes::from_static(b"a")).await.unwrap();
        drop(sender);
        let chunks: Vec<_> = body.collect().await;
        assert!(
            matches!(chunks.as_slice(), [Ok(_), Err(CutShort)]),
            "{chunks:?}"
        );
    }

    #[tokio::test]
    async fn what_waits_is_bounded_and_a_reader_that_takes_nothing_is_given_up() {
        let (sender, mut body) = body_channel(Duration::from_millis(1));
        for _ in 0..WAITING_MAX {
            sender.send(Bytes::from_static(b"a")).await.unwrap();
        }
        let refused = sender.send(Bytes::from_static(b"a")).await;
        assert!(matches!(refused, Err(ExportError::Stalled)));
        assert!(matches!(
            sender.wait_until_taken().await,
            Err(ExportError::Stalled)
        ));
        body.next().await.unwrap().unwrap();
        sender.send(Bytes::from_static(b"b")).await.unwrap();
        drop(body);
        assert!(matches!(
            sender.wait_until_taken().await,
            Err(ExportError::Gone)
        ));
    }

    #[tokio::test]
    async fn everything_is_taken_when_the_last_piece_is() {
        let (sender, mut body) = body_channel(LONG);
        sender.send(Bytes::from_static(b"a")).await.unwrap();
        assert!(sender.wait_until_taken().now_or_never().is_none());
        body.next().await.unwrap().unwrap();
        sender.wait_until_taken().now_or_never().unwrap().unwrap();
    }
}
