//! Every sample file through the real program: its exit code and its counts, in the first and in a second push.

use crate::support::household::{Household, fixtures, totals};

#[actix_web::test]
async fn every_sample_is_stored_or_refused_by_its_exit_code_and_a_replay_changes_nothing() {
    let household = Household::start().await;
    for (folder, extension) in [("bank", "ofx"), ("calendar", "ics")] {
        for file in fixtures(folder, extension) {
            let files = [file];
            let (code, told) = household.run(&files).await;
            let [entries, stored, refused] = totals(&told);
            assert_eq!(entries, stored + refused, "{told}");
            let was_read = !told.contains("not read");
            assert_eq!(code == 0, refused == 0 && was_read, "{code}: {told}");
            assert!(code <= 1, "{code}: {told}");
            let (again, told) = household.run(&files).await;
            assert_eq!(
                (again, totals(&told)),
                (code, [entries, stored, refused]),
                "{told}"
            );
            if stored > 0 {
                let unchanged = format!("(0 new, 0 changed, {stored} unchanged");
                assert!(told.contains(&unchanged), "{told}");
            }
        }
    }
}
