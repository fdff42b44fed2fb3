//! The password of a database that is not the service's own: in the environment and in the file, valid, invalid and
//! malformed.

use nix::sys::signal::Signal;

use super::LOUDEST;
use super::markers::{Kind, Markers};
use super::sweep::{Place, Sweep};
use crate::process::Setup;
use crate::process::service::log_in;
use crate::support::TestDatabase;
use crate::support::users::in_scratch;

#[test]
fn r028_the_databases_password_stands_in_no_log_and_no_message() {
    in_scratch(async |home| {
        let database = TestDatabase::create().await;
        let mut markers = Markers::seeded(home.to_str().unwrap());
        let password = markers.word(Kind::Secret, "the password in DATABASE_URL");
        let right = database
            .url()
            .replace("sextant@", &format!("sextant:{password}@"));
        let mut said = Vec::new();
        for url in [
            format!("postgres://u:{password}@127.0.0.1:1/x"),
            format!("postgres://u:{password}@127.0.0.1:no/x"),
            format!("postgres://u:{password}@127.0.0.1:1/x?sslmode={password}"),
            format!("hunter://u:{password}@127.0.0.1"),
            format!("host=127.0.0.1 port=1 password={password} {password}"),
            password.clone(),
            right.replace("/test_", "/absent_"),
        ] {
            said.push(refused(setup(home).env("DATABASE_URL", &url)).await);
            let file = home.join("config.toml");
            for text in [
                format!("database_url = \"{url}\"\n"),
                format!("database_url = \"{url}\n"),
                format!("database_url = [\"{url}\"]\n"),
                format!("databse_url = \"{url}\"\n"),
                format!("[x]\n\"{url}\" = 1 1\n"),
            ] {
                std::fs::write(&file, text).unwrap();
                let named = setup(home)
                    .argument("--config")
                    .argument(file.to_str().unwrap());
                said.push(refused(named).await);
            }
        }
        std::fs::remove_file(home.join("config.toml")).unwrap();
        let service = setup(home).env("DATABASE_URL", &right).start().await;
        service.key("reader", &["mail"]).await;
        service.becomes(200).await;
        service.stop(Signal::SIGTERM).await;
        let mut sweep = Sweep::of(&markers);
        for text in said {
            sweep.search(Place::Log, "a refused start", text.as_bytes());
        }
        sweep.search(Place::Log, "the service", log_in(home).as_bytes());
        if home.join("data").is_dir() {
            sweep.search_files(&home.join("data"));
        }
        sweep.assert_clean();
    });
}

fn setup(home: &std::path::Path) -> Setup {
    Setup::in_home(home).env("RUST_LOG", LOUDEST)
}

async fn refused(setup: Setup) -> String {
    let (status, said, complained) = setup.run_to_end().await;
    assert!(!status.success(), "{said}{complained}");
    format!("{said}\n{complained}")
}
