//! `sextant export` and `sextant import` as programs, over a running service.

use std::path::Path;

use crate::support::TestApp;
use crate::support::planted::plant_everywhere;

async fn run(command: &str, file: &Path, app: &TestApp) -> (i32, String) {
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"))
        .args([
            command,
            file.to_str().unwrap(),
            "--url",
            &format!("http://{}", app.address()),
        ])
        .current_dir(file.parent().unwrap())
        .output()
        .await
        .unwrap();
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code().unwrap(), told.concat())
}

#[actix_web::test]
async fn what_the_program_saved_the_program_takes_back_and_says_what_is_next() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.zip");
    let (old, new) = (TestApp::start().await, TestApp::start().await);
    plant_everywhere(&old).await;
    old.key_of("laptop", &["mail"]).await;
    let (code, told) = run("export", &file, &old).await;
    assert_eq!(code, 0, "{told}");
    let (code, told) = run("import", &file, &new).await;
    assert_eq!(code, 0, "{told}");
    for said in [
        "mail.messages",
        " connections and 1 agent came.",
        "rotate-secret",
        "rotate gives one a new key",
        "never imported",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let (code, told) = run("import", &file, &new).await;
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("an import goes into a store without rows"),
        "{told}"
    );
    let (code, told) = run("import", &folder.path().join("none.zip"), &new).await;
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("cannot be read"), "{told}");
    std::fs::write(&file, "no zip").unwrap();
    let third = TestApp::start().await;
    let (code, told) = run("import", &file, &third).await;
    assert_eq!(code, 2, "{told}");
    assert!(
        told.contains("nothing was imported: it is no whole zip"),
        "{told}"
    );
}
