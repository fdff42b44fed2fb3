//! Credentials at rest: what opens, what does not, and the file of the key.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use sextant::config::Secret;
use sextant::sealing::{KeyFile, KeyFileError, SealError, SealingKey, SealingKeys, UnsealError};
use uuid::Uuid;

const SIGN_IN: Uuid = Uuid::from_u128(7);

fn keys(current: SealingKey) -> SealingKeys {
    SealingKeys::new(Some(current), None)
}

#[test]
fn what_is_sealed_opens_for_its_sign_in_alone_and_shows_nothing() {
    let keys = keys(SealingKey::generate().unwrap());
    let secret = Secret::new("abcd-efgh-ijkl-mnop");
    let sealed = keys.seal(SIGN_IN, &secret).unwrap();
    assert_eq!(keys.open(SIGN_IN, &sealed).unwrap(), secret);
    assert_eq!(
        keys.open(Uuid::from_u128(8), &sealed),
        Err(UnsealError::Damaged)
    );
    assert!(!sealed.windows(4).any(|bytes| bytes == b"abcd"));
    assert_ne!(sealed, keys.seal(SIGN_IN, &secret).unwrap());
    assert!(keys.is_current(&sealed));
}

#[test]
fn any_other_bit_and_any_shorter_text_opens_nothing() {
    let keys = keys(SealingKey::generate().unwrap());
    let sealed = keys.seal(SIGN_IN, &Secret::new("word")).unwrap();
    for at in 0..sealed.len() {
        let mut other = sealed.clone();
        other[at] ^= 1;
        assert!(keys.open(SIGN_IN, &other).is_err(), "byte {at}");
        assert!(keys.open(SIGN_IN, &sealed[..at]).is_err(), "{at} bytes");
    }
}

#[test]
fn the_key_before_still_opens_and_a_lost_one_is_named() {
    let [old, new] = [(); 2].map(|()| SealingKey::generate().unwrap());
    let name = old.name();
    let sealed = keys(old).seal(SIGN_IN, &Secret::new("word")).unwrap();
    let lost = keys(new);
    assert_eq!(
        lost.open(SIGN_IN, &sealed),
        Err(UnsealError::KeyMissing(name))
    );
    assert!(!lost.is_current(&sealed));
    let none = SealingKeys::default();
    let refused = none.seal(SIGN_IN, &Secret::new("word"));
    assert!(matches!(refused, Err(SealError::NoKey)));
    assert_eq!(
        none.open(SIGN_IN, &sealed),
        Err(UnsealError::KeyMissing(name))
    );
}

#[test]
fn two_keys_serve_while_one_replaces_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = KeyFile::of(folder.path());
    file.create(&SealingKey::generate().unwrap()).unwrap();
    let old = || file.read().unwrap().unwrap();
    let sealed = keys(old()).seal(SIGN_IN, &Secret::new("word")).unwrap();
    let both = SealingKeys::new(Some(SealingKey::generate().unwrap()), Some(old()));
    assert_eq!(both.open(SIGN_IN, &sealed).unwrap(), Secret::new("word"));
    assert!(!both.is_current(&sealed));
}

#[test]
fn the_key_has_a_file_that_only_its_owner_reads() {
    let folder = tempfile::tempdir().unwrap();
    let file = KeyFile::of(folder.path());
    assert!(file.read().unwrap().is_none());
    let key = SealingKey::generate().unwrap();
    file.create(&key).unwrap();
    let path = folder.path().join("credentials.key");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(file.read().unwrap().unwrap().name(), key.name());
    assert!(!format!("{key:?}").contains(text.trim()));

    let again = file.create(&SealingKey::generate().unwrap());
    assert!(matches!(again, Err(KeyFileError::Exists(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let told = file.read().unwrap_err().to_string();
    assert!(
        told.ends_with(&format!("chmod 600 {}", path.display())),
        "{told}"
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    for unfit in ["", "word\n", &text[1..], &format!("{text}{text}")] {
        fs::write(&path, unfit).unwrap();
        let refused = file.read();
        assert!(matches!(refused, Err(KeyFileError::NoKey(_))), "{unfit}");
        assert!(unfit.is_empty() || !refused.unwrap_err().to_string().contains(unfit.trim()));
    }
}
