//! The providers at which a person consents: what is asked of them, whose account it is, how it ends.

mod reached;
mod terms;

use sextant_connectors::provider::ConsentedProvider;
use sextant_connectors::providers::{self, WayOut};

fn provider(id: &str, way_out: &WayOut) -> Box<dyn ConsentedProvider> {
    let all = providers::consented(|_| way_out.clone()).unwrap();
    all.into_iter().find(|one| one.id() == id).unwrap()
}
