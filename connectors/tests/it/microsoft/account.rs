//! Whose sign-in it is, by what the sign-in may see.

use serde_json::json;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::microsoft::account_of;

use super::stage::{Sector, World};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire::raw;

#[tokio::test]
async fn an_account_is_named_by_what_the_sign_in_may_see() {
    let Some(world) = World::start("account", Sector::Contacts).await else {
        return;
    };
    let bearer = world.bearer();
    assert_eq!(account_of(&bearer).await, Ok(None));
    let inbox = json!({"id": "in-1"});
    world
        .graph()
        .singles
        .insert("contactFolders/contacts".to_owned(), json!({"id": "co-1"}));
    assert_eq!(account_of(&bearer).await, Ok(Some("co-1".to_owned())));
    world
        .graph()
        .singles
        .insert("mailFolders/inbox".to_owned(), inbox);
    assert_eq!(account_of(&bearer).await, Ok(Some("in-1".to_owned())));
    let owner = json!({"id": "c", "owner": {"name": "Ann", "address": "Ann@Example.com"}});
    world.graph().singles.insert("calendar".to_owned(), owner);
    assert_eq!(
        account_of(&bearer).await,
        Ok(Some("ann@example.com".to_owned()))
    );

    world.graph().scopes = vec!["Mail.Read", "Contacts.Read"];
    assert_eq!(account_of(&bearer).await, Ok(Some("in-1".to_owned())));
    // A server that fails is no other account.
    let away = |_: &str| raw(503, "", "");
    world.graph().faults.once("/calendar", Law::Broken, away);
    assert_eq!(
        account_of(&bearer).await.unwrap_err().kind,
        FailureKind::Unavailable
    );
}
