//! Reading a stream of server-sent events.

use reqwest::{RequestBuilder, Response};
use serde_json::Value;

use super::client::send;
use super::soon;

/// An open stream of messages; keep-alives and priming events are skipped.
pub struct Events {
    answer: Response,
    unread: String,
}

impl Events {
    /// Opens the stream; asserts that the answer is one.
    pub async fn open(request: RequestBuilder) -> Self {
        let answer = send(request).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        assert_eq!(answer.headers()["x-accel-buffering"], "no");
        Self {
            answer,
            unread: String::new(),
        }
    }

    /// The next message, or `None` when the stream has ended in order.
    pub async fn next(&mut self) -> Option<Value> {
        soon("an event or the end of the stream", self.read()).await
    }

    async fn read(&mut self) -> Option<Value> {
        loop {
            while let Some((event, rest)) = self.unread.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let message = data.and_then(|data| serde_json::from_str(data).ok());
                self.unread = rest.to_owned();
                if message.is_some() {
                    return message;
                }
            }
            let chunk = self.answer.chunk().await.unwrap()?;
            self.unread.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}
