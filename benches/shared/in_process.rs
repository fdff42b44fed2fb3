//! The service in the process that measures it, on a private database with the default durability.

use std::path::Path;

use sextant::app::{App, RunError, run_while};
use sextant::config::{Config, ConfigSources, Environment};
use sextant_actors::tree::TreePorts;

/// The default settings except the ports, which are free ones.
pub fn config(home: &Path) -> Config {
    let mut config = Config::load(&ConfigSources {
        file: None,
        data_dir: Some(home.join("data")),
        environment: Environment::of_process(),
    })
    .unwrap();
    (config.rest_port, config.mcp_port) = (0, 0);
    config
}

/// Serves for as long as `measure` runs; `around` may wrap the actors' ports.
pub fn measured(
    config: Config,
    around: impl FnOnce(TreePorts) -> TreePorts,
    measure: impl AsyncFnOnce(&App),
) {
    let prepare = || Ok::<_, RunError>((config, ()));
    let done = run_while(prepare, around, async |app: &App, (): &mut ()| {
        measure(app).await
    });
    assert!(done.unwrap().is_some());
}
