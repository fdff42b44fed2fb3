//! How a test has a service with a browser before it.
//!
//! | file | what it holds |
//! |---|---|
//! | `driver` | chromedriver: one for the test process |
//! | `browser` | one session: opening screens, keys, what the page complained of |
//! | `element` | what is on the screen, by role and name, as a person finds it |
//! | `stops` | the same by the keyboard alone |
//! | `commands` | what Chromium's driver has beyond WebDriver |
//! | `axe` | the rules of accessibility that a program can check |
//! | `console` | the service, its database and the browser of one test |

pub mod axe;
pub mod browser;
mod commands;
pub mod console;
mod driver;
pub mod element;
mod stops;

pub use browser::Browser;
pub use console::{Console, in_browser, in_browser_beside, in_browser_with};
