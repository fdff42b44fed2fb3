//! The body of one stream.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::web::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::console_event::frame;
use super::streams::OpenStream;

/// The longest silence. A reader that has gone is noticed only when something is sent to it, and takes a stream until then, so that
/// pages opened one after another would soon find none free.
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// What a reader gets first, so that it knows the stream is open: a comment, and how soon it should try again after a break.
const OPENED: &[u8] = b": open\nretry: 2000\n\n";

enum StreamStage {
    Opening,
    Events,
}

/// The events as they are sent, until the service stops or the reader leaves.
pub(super) fn of(stream: OpenStream) -> impl Stream<Item = Result<Bytes, Infallible>> {
    unfold(
        (stream, StreamStage::Opening),
        |(mut stream, part)| async move {
            let frame = match part {
                StreamStage::Opening => Bytes::from_static(OPENED),
                StreamStage::Events => next(&mut stream).await?,
            };
            Some((Ok(frame), (stream, StreamStage::Events)))
        },
    )
}

async fn next(stream: &mut OpenStream) -> Option<Bytes> {
    let event = tokio::select! {
        biased;
        () = stream.stop.cancelled() => return None,
        event = timeout(SILENCE_MAX, stream.events.recv()) => event,
    };
    match event {
        Ok(Ok(event)) => Some(event.frame()),
        Ok(Err(RecvError::Lagged(_))) => Some(frame("reload", "{}")),
        Ok(Err(RecvError::Closed)) => None,
        Err(_silence) => Some(frame("ping", "{}")),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::super::console_event::ConsoleEvent;
    use super::super::streams::EventStreams;
    use super::*;

    async fn read(stream: &mut (impl Stream<Item = Result<Bytes, Infallible>> + Unpin)) -> String {
        let Ok(frame) = stream.next().await.unwrap();
        String::from_utf8(frame.to_vec()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_tells_what_happens_and_that_it_lives_and_ends_with_the_service() {
        let streams = EventStreams::new();
        let mut stream = Box::pin(of(streams.open().unwrap()));
        assert!(read(&mut stream).await.starts_with(": open\n"));
        let watcher = streams.try_watch().unwrap();
        watcher.tell(ConsoleEvent::Attention { count: 2 });
        assert_eq!(
            read(&mut stream).await,
            "event: attention\ndata: {\"count\":2}\n\n"
        );
        assert_eq!(read(&mut stream).await, "event: ping\ndata: {}\n\n");
        streams.end();
        assert!(stream.next().await.is_none());
        assert!(streams.open().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_too_slow_is_told_to_read_everything_again() {
        let streams = EventStreams::new();
        let mut stream = Box::pin(of(streams.open().unwrap()));
        let watcher = streams.try_watch().unwrap();
        for count in 0..1_000 {
            watcher.tell(ConsoleEvent::Attention { count });
        }
        read(&mut stream).await;
        assert_eq!(read(&mut stream).await, "event: reload\ndata: {}\n\n");
        assert!(read(&mut stream).await.starts_with("event: attention\n"));
    }

    #[tokio::test]
    async fn there_are_no_more_streams_than_may_be_and_one_watches() {
        let streams = EventStreams::new();
        let open: Vec<_> = std::iter::from_fn(|| streams.open().ok()).collect();
        assert_eq!(open.len(), 32);
        drop(open);
        assert!(streams.open().is_ok());
        let watcher = streams.try_watch();
        assert!(streams.try_watch().is_none());
        drop(watcher);
        assert!(
            streams
                .try_watch()
                .is_some_and(|watcher| !watcher.has_readers())
        );
    }
}
