//! One key replaces another: whatever is cut off where, everything opens.

use std::path::Path;

use serde_json::json;
use sextant::config::Secret;
use sextant::db::ServicePool;
use sextant::sealing::{CredentialKeys, KeyringError};
use sextant::store::sign_ins::{self, CredentialError, NewSignIn, Resealed};
use sextant_actors::clock::{Clock as _, SystemClock};
use sextant_actors::random;
use sextant_connectors::secret::SourceSecret;
use uuid::Uuid;

use crate::support::TestApp;
use crate::support::app::settings;

const WORD: &str = "abcd-efgh-ijkl-mnop";

/// Keys as a service that starts now has them.
fn started(folder: &Path) -> CredentialKeys {
    CredentialKeys::open([None, None], folder).unwrap()
}

async fn kept(pool: &ServicePool, keys: &CredentialKeys, account: &str) -> Uuid {
    let new = NewSignIn {
        id: random::identifier().unwrap(),
        provider: "icloud",
        identity: account.to_owned(),
        account: account.to_owned(),
        secret: SourceSecret::new(WORD),
        ends_at: None,
    };
    let turn = keys.turn().await.unwrap();
    let kept = sign_ins::establish(pool, &turn, &new, &[], SystemClock.now()).await;
    kept.unwrap().id
}

/// Asserts that everything that is stored opens.
async fn assert_opens(pool: &ServicePool, keys: &CredentialKeys, ids: &[Uuid]) {
    for id in ids {
        let credential = sign_ins::credential(pool, keys, *id).await.unwrap();
        assert_eq!(credential.secret, SourceSecret::new(WORD));
    }
    assert_eq!(sign_ins::count_unopened(pool, keys).await.unwrap(), 0);
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[actix_web::test]
async fn a_rotation_that_is_cut_off_at_any_step_leaves_everything_open() {
    let app = TestApp::start().await;
    let pool = &app.pool;
    let folder = tempfile::tempdir().unwrap();
    let keys = started(folder.path());
    assert!(matches!(
        keys.begin_rotation().await,
        Err(KeyringError::NoKey)
    ));
    assert_eq!(files(folder.path()), Vec::<String>::new());
    let mut ids = vec![
        kept(pool, &keys, "first").await,
        kept(pool, &keys, "second").await,
    ];
    assert_eq!(files(folder.path()), ["credentials.key"]);
    let first_key = keys.current();

    // Cut off before anything is sealed anew.
    drop(keys.begin_rotation().await.unwrap());
    assert_eq!(
        files(folder.path()),
        ["credentials.key", "credentials.key.next"]
    );
    assert_opens(pool, &keys, &ids).await;
    let keys = started(folder.path());
    assert_opens(pool, &keys, &ids).await;
    let next_key = keys.current();
    assert_ne!(next_key, first_key);
    // What is entered meanwhile opens too.
    ids.push(kept(pool, &keys, "third").await);

    // Cut off when all is sealed anew, before the old key goes.
    let rotation = keys.begin_rotation().await.unwrap();
    let done = sign_ins::reseal(pool, &rotation).await.unwrap();
    assert_eq!(
        done,
        Resealed {
            resealed: 3,
            lost: 0
        }
    );
    drop(rotation);
    assert_opens(pool, &keys, &ids).await;
    let keys = started(folder.path());
    assert_opens(pool, &keys, &ids).await;
    assert_eq!(keys.current(), next_key);

    // To the end.
    let rotation = keys.begin_rotation().await.unwrap();
    sign_ins::reseal(pool, &rotation).await.unwrap();
    rotation.finish().await.unwrap();
    assert_eq!(files(folder.path()), ["credentials.key"]);
    assert_opens(pool, &keys, &ids).await;
    let keys = started(folder.path());
    assert_eq!(keys.current(), next_key);
    assert_opens(pool, &keys, &ids).await;
}

#[actix_web::test]
async fn who_seals_while_the_key_is_replaced_waits_for_it() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().unwrap();
    let keys = started(folder.path());
    let turn = keys.turn().await.unwrap();
    let mut rotation = std::pin::pin!(keys.begin_rotation());
    let waiting = futures_util::poll!(rotation.as_mut());
    assert!(waiting.is_pending(), "the rotation waits for who seals");
    drop(turn);
    let rotation = rotation.await.unwrap();
    let mut sealing = std::pin::pin!(kept(&app.pool, &keys, "meanwhile"));
    assert!(futures_util::poll!(sealing.as_mut()).is_pending());
    rotation.finish().await.unwrap();
    let id = sealing.await;
    assert_opens(&app.pool, &started(folder.path()), &[id]).await;
}

#[actix_web::test]
async fn without_its_key_a_credential_is_lost_until_it_is_entered_again() {
    let app = TestApp::start().await;
    let pool = &app.pool;
    let folder = tempfile::tempdir().unwrap();
    let id = kept(pool, &started(folder.path()), "op").await;
    std::fs::remove_file(folder.path().join("credentials.key")).unwrap();
    let keys = started(folder.path());
    assert_eq!(sign_ins::count_unopened(pool, &keys).await.unwrap(), 1);
    assert_eq!(files(folder.path()), Vec::<String>::new());
    let lost = sign_ins::credential(pool, &keys, id).await;
    assert!(matches!(lost, Err(CredentialError::Sealed(_))), "{lost:?}");
    // Another credential makes a key; the old text stays under its key's name.
    let other = kept(pool, &keys, "ann").await;
    assert_opens_one(pool, &keys, other).await;
    let done = reseal(pool, &keys).await;
    assert_eq!(
        done,
        Resealed {
            resealed: 1,
            lost: 1
        }
    );
    // Entered again, it is the same sign-in.
    assert_eq!(kept(pool, &keys, "op").await, id);
    assert_opens(pool, &keys, &[id, other]).await;
}

#[actix_web::test]
async fn a_key_of_the_environment_is_replaced_by_a_restart() {
    let app = TestApp::start().await;
    let pool = &app.pool;
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = [1_u8, 2].map(|byte| Secret::new(random::base64url(&[byte; 32])));
    let open = |keys: [Option<&Secret>; 2]| CredentialKeys::open(keys, folder.path());
    let id = kept(pool, &open([Some(&old), None]).unwrap(), "op").await;
    let lost = open([Some(&new), None]).unwrap();
    assert_eq!(sign_ins::count_unopened(pool, &lost).await.unwrap(), 1);
    let both = open([Some(&new), Some(&old)]).unwrap();
    assert_opens(pool, &both, &[id]).await;
    assert_eq!(
        reseal(pool, &both).await,
        Resealed {
            resealed: 1,
            lost: 0
        }
    );
    assert_opens(pool, &open([Some(&new), None]).unwrap(), &[id]).await;
    assert_eq!(files(folder.path()), Vec::<String>::new());
    let wrong = Secret::new("hunter2");
    let refused = open([Some(&wrong), None]).unwrap_err().to_string();
    assert!(
        refused.starts_with("SEXTANT_KEY is no key") && !refused.contains("hunter2"),
        "{refused}"
    );
}

#[actix_web::test]
async fn the_route_replaces_the_key_of_the_data_directory() {
    let folder = tempfile::tempdir().unwrap();
    let keys = started(folder.path());
    let app = TestApp::start_with(sextant::app::Settings {
        keys: keys.clone(),
        ..settings()
    })
    .await;
    let refused = app.post("/api/key/rotate", json!({})).await;
    refused.expect_problem(409, "conflict", None);
    let id = kept(&app.pool, &keys, "op").await;
    let before = keys.current();
    let told = app.post("/api/key/rotate", json!({})).await.expect(200);
    assert_eq!(told, json!({ "resealed": 1, "lost": 0 }));
    assert_ne!(keys.current(), before);
    assert_opens(&app.pool, &keys, &[id]).await;
    assert_opens(&app.pool, &started(folder.path()), &[id]).await;
}

async fn reseal(pool: &ServicePool, keys: &CredentialKeys) -> Resealed {
    let rotation = keys.begin_rotation().await.unwrap();
    let done = sign_ins::reseal(pool, &rotation).await.unwrap();
    rotation.finish().await.unwrap();
    done
}

async fn assert_opens_one(pool: &ServicePool, keys: &CredentialKeys, id: Uuid) {
    let credential = sign_ins::credential(pool, keys, id).await.unwrap();
    assert_eq!(credential.account, "ann");
}
