//! The options of `sextant serve`, and where its settings come from.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::config::{ConfigError, ConfigSources, Environment};

/// The file that is read when none is named, if it is there.
const CONFIG_FILE: &str = "config.toml";

/// The options of `sextant serve`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ServeOptions {
    /// Read settings from FILE [default: config.toml in this folder, if it is there]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Keep everything in DIR [default: /var/lib/sextant for root, else your data folder]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
}

impl ServeOptions {
    /// Where the settings come from.
    ///
    /// # Errors
    /// The file `.env` of this folder cannot be read.
    pub(super) fn sources(self, environment: Environment) -> Result<ConfigSources, ConfigError> {
        let present = || Path::new(CONFIG_FILE).is_file().then(|| CONFIG_FILE.into());
        Ok(ConfigSources {
            file: self.config.or_else(present),
            data_dir: self.data_dir,
            environment: environment.with_dotenv()?,
        })
    }
}
