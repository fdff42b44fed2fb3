//! What leaves: a bounded channel from whoever writes to the body of an answer. A body that is not ended ends in an error, so
//! that no reader takes a part for the whole.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::ExportError;

/// Pieces that wait for their reader.
const WAITING_MAX: usize = 4;

enum Piece {
    Bytes(Bytes),
    End,
}

/// The writer's end.
pub struct Outlet {
    pieces: mpsc::Sender<Piece>,
    stall_max: Duration,
}

/// The reader's end.
pub struct Body {
    pieces: mpsc::Receiver<Piece>,
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

/// Both ends; `stall_max` is how long the reader may take nothing.
pub fn outlet(stall_max: Duration) -> (Outlet, Body) {
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    let outlet = Outlet {
        pieces: sender,
        stall_max,
    };
    let body = Body {
        pieces: receiver,
        is_over: false,
    };
    (outlet, body)
}

impl Outlet {
    /// Hands over a piece, when there is room for it.
    pub async fn send(&self, bytes: Bytes) -> Result<(), ExportError> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Some(room) = self.room(1).await?.next() {
            room.send(Piece::Bytes(bytes));
        }
        Ok(())
    }

    /// Resolves when the reader has taken everything that was handed over.
    pub async fn taken(&self) -> Result<(), ExportError> {
        self.room(WAITING_MAX).await.map(drop)
    }

    /// That this was all of it. To be said when everything was taken.
    pub fn end(self) {
        // A reader that leaves now has what it wanted.
        let _gone = self.pieces.try_send(Piece::End);
    }

    async fn room(&self, pieces: usize) -> Result<mpsc::PermitIterator<'_, Piece>, ExportError> {
        match timeout(self.stall_max, self.pieces.reserve_many(pieces)).await {
            Ok(Ok(permits)) => Ok(permits),
            Ok(Err(_closed)) => Err(ExportError::Gone),
            Err(_too_long) => Err(ExportError::Stalled),
        }
    }
}

impl Stream for Body {
    type Item = Result<Bytes, CutShort>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let piece = ready!(self.pieces.poll_recv(context));
        if let Some(Piece::Bytes(bytes)) = piece {
            return Poll::Ready(Some(Ok(bytes)));
        }
        self.is_over = true;
        Poll::Ready(match piece {
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
        let (outlet, body) = outlet(LONG);
        outlet.send(Bytes::from_static(b"a")).await.unwrap();
        outlet.send(Bytes::new()).await.unwrap();
        outlet.end();
        let pieces: Vec<_> = body.collect().await;
        assert!(matches!(pieces.as_slice(), [Ok(_)]), "{pieces:?}");

        let (outlet, body) = super::outlet(LONG);
        outlet.send(Bytes::from_static(b"a")).await.unwrap();
        drop(outlet);
        let pieces: Vec<_> = body.collect().await;
        assert!(
            matches!(pieces.as_slice(), [Ok(_), Err(CutShort)]),
            "{pieces:?}"
        );
    }

    #[tokio::test]
    async fn what_waits_is_bounded_and_a_reader_that_takes_nothing_is_given_up() {
        let (outlet, mut body) = outlet(Duration::from_millis(1));
        for _ in 0..WAITING_MAX {
            outlet.send(Bytes::from_static(b"a")).await.unwrap();
        }
        let refused = outlet.send(Bytes::from_static(b"a")).await;
        assert!(matches!(refused, Err(ExportError::Stalled)));
        assert!(matches!(outlet.taken().await, Err(ExportError::Stalled)));
        body.next().await.unwrap().unwrap();
        outlet.send(Bytes::from_static(b"b")).await.unwrap();
        drop(body);
        assert!(matches!(outlet.taken().await, Err(ExportError::Gone)));
    }

    #[tokio::test]
    async fn everything_is_taken_when_the_last_piece_is() {
        let (outlet, mut body) = outlet(LONG);
        outlet.send(Bytes::from_static(b"a")).await.unwrap();
        assert!(outlet.taken().now_or_never().is_none());
        body.next().await.unwrap().unwrap();
        outlet.taken().now_or_never().unwrap().unwrap();
    }
}
