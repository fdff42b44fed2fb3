//! Every real client in each of its modes, one dialogue for all of them, against the whole service with its database.

mod abandoned;
mod ended;
mod rested;
mod served;
mod snippets;

use futures_util::future::join_all;

use crate::support::TestApp;
use crate::support::clients::{Conversation, Peer};

fn url(app: &TestApp) -> String {
    format!("http://{}/mcp", app.agents)
}

/// Connects all of these clients under one key.
async fn connected(peers: Vec<Peer>, url: &str, key: &str) -> Vec<Conversation> {
    join_all(peers.into_iter().map(|peer| peer.connect(url, key))).await
}
