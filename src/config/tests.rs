//! The configuration as an operator meets it.

use std::io::Write as _;

use super::*;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config.example.toml");

fn home() -> Environment {
    Environment::of([("HOME", "/home/ada")])
}

fn from_environment<const N: usize>(variables: [(&str, &str); N]) -> Result<Config, ConfigError> {
    let sources = ConfigSources {
        data_dir: Some("/data".into()),
        environment: Environment::of(variables),
        ..ConfigSources::default()
    };
    Config::load(&sources)
}

fn from_file(text: &str, environment: Environment) -> Result<Config, ConfigError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    Config::load(&ConfigSources {
        file: Some(file.path().into()),
        data_dir: None,
        environment,
    })
}

#[test]
fn r500_nothing_given_binds_loopback_and_r003_the_two_ports() {
    let config = from_environment([]).unwrap();
    assert!(config.bind.is_loopback());
    assert_eq!((config.rest_port, config.mcp_port), (8787, 8788));
    assert_eq!(config.ingest_body_bytes_max, 64 * 1024 * 1024);
    assert_eq!(
        config.limits.audit_flush_interval,
        Duration::from_millis(1000)
    );
    assert_eq!(config.limits.sessions_per_agent_max, 32);
    assert!(config.reader_role && config.database_url.is_none());
}

#[test]
fn the_defaults_are_those_of_the_actors() {
    let set = TreeLimits::from(&from_environment([]).unwrap().limits);
    let own = TreeLimits::default();
    assert_eq!(set.audit_flush_interval, own.audit_flush_interval);
    assert_eq!(set.sessions_per_agent_max, own.sessions_per_agent_max);
    assert_eq!(set.session_idle_max, own.session_idle_max);
}

#[test]
fn the_environment_wins_over_the_file() {
    let environment = Environment::of([
        ("HOME", "/h"),
        ("REST_PORT", "9001"),
        ("READER_ROLE", "FALSE"),
    ]);
    let config = from_file("rest_port = 9000\nmcp_port = 9002\n", environment).unwrap();
    assert_eq!(
        (config.rest_port, config.mcp_port, config.reader_role),
        (9001, 9002, false)
    );
}

#[test]
fn lists_are_arrays_in_the_file_and_commas_in_the_environment() {
    let file =
        "rest_allowed_hosts = [\"Box.Example:8787\"]\nmcp_trusted_proxies = [\"10.0.0.0/8\"]";
    let filed = from_file(file, home()).unwrap();
    let environment = [
        ("REST_ALLOWED_HOSTS", "box.example, "),
        ("MCP_TRUSTED_PROXIES", "10.0.0.0/8"),
    ];
    let varied = from_environment(environment).unwrap();
    assert_eq!(
        filed.rest_allowed_hosts,
        [crate::host::Host::Name("box.example".to_owned())]
    );
    assert_eq!(varied.rest_allowed_hosts, filed.rest_allowed_hosts);
    assert_eq!(varied.mcp_trusted_proxies, filed.mcp_trusted_proxies);
}

#[test]
fn an_unknown_key_names_the_nearest_known_one() {
    let error = from_file("rest_prot = 1", home()).unwrap_err().to_string();
    assert!(
        error.contains("`rest_prot`") && error.contains("`rest_port`"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_used_is_named_with_its_origin_and_what_it_must_be() {
    for (variable, value, key, expected) in [
        ("BIND", "localhost", "bind", "IP address"),
        ("REST_PORT", "65536", "rest_port", "from 0 to 65535"),
        ("MCP_PORT", "-1", "mcp_port", "from 0 to 65535"),
        ("REST_ALLOWED_HOSTS", "*", "rest_allowed_hosts", "wildcard"),
        (
            "MCP_TRUSTED_PROXIES",
            "proxy",
            "mcp_trusted_proxies",
            "networks",
        ),
        (
            "DATABASE_URL",
            "http://db",
            "database_url",
            "PostgreSQL address",
        ),
        ("READER_ROLE", "maybe", "reader_role", "true or false"),
        ("AUDIT_FLUSH_MS", "0", "audit_flush_ms", "from 10 to 60000"),
        (
            "INGEST_MAX_BODY_MB",
            "1.5",
            "ingest_max_body_mb",
            "from 1 to 1024",
        ),
        (
            "SESSIONS_PER_AGENT",
            "0",
            "sessions_per_agent",
            "from 1 to 10000",
        ),
        ("SESSION_IDLE_S", "1", "session_idle_s", "from 10 to 86400"),
        ("TIMEZONE", "Europe/Zurch", "timezone", "Europe/Zurich"),
    ] {
        let error = from_environment([(variable, value)])
            .unwrap_err()
            .to_string();
        for part in [format!("`{key}`"), variable.into(), expected.into()] {
            assert!(error.contains(&part), "{error} lacks {part}");
        }
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    for text in [
        "rest_port = \"x\"",
        "bind = 1",
        "reader_role = 1",
        "rest_allowed_hosts = [1]",
    ] {
        let error = from_file(text, home()).unwrap_err();
        assert!(
            matches!(error, ConfigError::Invalid { .. }),
            "{text}: {error}"
        );
    }
}

#[test]
fn both_ports_the_same_is_refused_unless_any_will_do() {
    let same = from_environment([("REST_PORT", "9000"), ("MCP_PORT", "9000")]);
    assert!(matches!(same, Err(ConfigError::SamePorts { port: 9000 })));
    assert!(from_environment([("REST_PORT", "0"), ("MCP_PORT", "0")]).is_ok());
}

#[test]
fn data_lies_where_flag_then_setting_then_system_say() {
    let of = |data_dir: Option<&str>, environment| {
        let data_dir = data_dir.map(PathBuf::from);
        Config::load(&ConfigSources {
            file: None,
            data_dir,
            environment,
        })
        .map(|config| config.data_dir)
    };
    let set = Environment::of([("HOME", "/h"), ("DATA_DIR", "/set")]);
    assert_eq!(of(Some("/flag"), set.clone()).unwrap(), Path::new("/flag"));
    assert_eq!(of(None, set).unwrap(), Path::new("/set"));
    assert_eq!(
        of(None, home().run_by_root()).unwrap(),
        Path::new("/var/lib/sextant")
    );
    assert_eq!(
        of(None, home()).unwrap(),
        Path::new("/home/ada").join(USER_DATA).join("sextant")
    );
    assert!(matches!(
        of(None, Environment::default()),
        Err(ConfigError::NoDataDir)
    ));
}

#[test]
fn no_secret_leaves_by_debug_or_by_an_error() {
    let config = from_environment([("DATABASE_URL", "postgresql://a:hunter2@db/x")]).unwrap();
    assert_eq!(
        config.database_url.as_ref().unwrap().expose(),
        "postgresql://a:hunter2@db/x"
    );
    let unclosed = from_file(
        "bind = \"::1\"\ndatabase_url = \"postgres://a:hunter2@db",
        home(),
    );
    let wrong = from_file("database_url = \"hunter2://a@db\"", home());
    let errors = [unclosed, wrong].map(|result| result.unwrap_err());
    for shown in [
        format!("{config:?}"),
        format!("{errors:?}"),
        errors.map(|e| e.to_string()).join("\n"),
    ] {
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_its_line() {
    let error = from_file("bind = \"::1\"\nrest_port 8787\n", home()).unwrap_err();
    assert!(
        matches!(error, ConfigError::Malformed { line: 2, .. }),
        "{error}"
    );
}

#[test]
fn a_named_file_that_is_absent_is_refused() {
    let sources = ConfigSources {
        file: Some("/nowhere/config.toml".into()),
        ..ConfigSources::default()
    };
    assert!(matches!(
        Config::load(&sources),
        Err(ConfigError::Unreadable { .. })
    ));
}

#[test]
fn what_is_worth_a_thought_is_said() {
    let quiet = from_environment([("TZ", "Europe/Zurich")]).unwrap();
    assert_eq!(quiet.notices(), Vec::<String>::new());
    let loud = from_environment([("BIND", "0.0.0.0")]).unwrap();
    assert_eq!(loud.notices().len(), 2);
}

#[test]
fn r003_r500_the_example_is_complete_and_has_every_default() {
    let text = std::fs::read_to_string(EXAMPLE).unwrap();
    let table: toml::Table = text.parse().unwrap();
    for setting in settings::ALL {
        assert_eq!(
            table.get(setting.key).cloned(),
            setting.default_value(),
            "{}",
            setting.key
        );
        let commented = text
            .lines()
            .any(|line| line.starts_with(&format!("# {} = ", setting.key)));
        assert_eq!(commented, setting.default.is_none(), "{}", setting.key);
        assert!(
            text.contains(setting.variable),
            "{} is not named",
            setting.variable
        );
    }
}

#[test]
fn the_example_changes_nothing() {
    let sources = |file: Option<&str>| ConfigSources {
        file: file.map(PathBuf::from),
        data_dir: None,
        environment: home(),
    };
    assert_eq!(
        Config::load(&sources(Some(EXAMPLE))).unwrap(),
        Config::load(&sources(None)).unwrap()
    );
}

#[test]
fn the_example_is_in_order_with_every_line_switched_on() {
    let text = std::fs::read_to_string(EXAMPLE).unwrap();
    let switched: String = text
        .lines()
        .map(|line| {
            line.strip_prefix("# ")
                .filter(|rest| rest.contains(" = "))
                .unwrap_or(line)
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    from_file(&switched, home()).unwrap();
}

#[test]
fn providers_are_reached_as_the_file_says() {
    let text = r#"
        [providers.icloud.hosts]
        "*.icloud.com" = "127.0.0.1:8443"
        "caldav.icloud.com" = "::1"
        "*.p42.icloud.com" = "[::1]:1"
        [providers.own_server]
        ca_file = "ca.pem"
    "#;
    let config = from_file(text, home()).unwrap();
    let hosts = &config.providers.get("icloud").unwrap().hosts;
    let hosts: Vec<_> = hosts
        .iter()
        .map(|(host, address)| (host.to_string(), address.to_string()))
        .collect();
    let expected = [
        ("caldav.icloud.com", "[::1]:0"),
        ("*.p42.icloud.com", "[::1]:1"),
        ("*.icloud.com", "127.0.0.1:8443"),
    ];
    assert_eq!(hosts, expected.map(|(host, to)| (host.into(), to.into())));
    let own = config.providers.get("own_server").unwrap();
    assert_eq!(own.ca_file.as_deref(), Some(Path::new("ca.pem")));
    let told: Vec<_> = config
        .notices()
        .into_iter()
        .filter(|told| told.contains("diverted"))
        .collect();
    assert_eq!(
        told,
        [
            "the provider icloud is diverted by [providers.icloud.hosts]: caldav.icloud.com leads to ::1, *.p42.icloud.com leads to [::1]:1, *.icloud.com leads to 127.0.0.1:8443"
        ]
    );
    assert!(config.providers.get("home_assistant").is_none());
}

#[test]
fn what_is_said_of_providers_is_refused_where_it_is_wrong() {
    for (text, place, expected) in [
        ("providers = 1", "`providers`", "must be a table"),
        (
            "[providers.iclod]",
            "`providers.iclod`",
            "the nearest is icloud",
        ),
        (
            "[providers.push]",
            "`providers.push`",
            "there are icloud, own_server, home_assistant",
        ),
        (
            "[providers.icloud]\nhost = 1",
            "`providers.icloud.host`",
            "hosts and ca_file",
        ),
        (
            "[providers.icloud]\nca_file = ' '",
            "`providers.icloud.ca_file`",
            "path of a file",
        ),
        (
            "[providers.icloud.hosts]\n'https://a' = '::1'",
            "`providers.icloud.hosts.https://a`",
            "must be a host",
        ),
        (
            "[providers.icloud.hosts]\n'a.b' = 'c.d'",
            "`providers.icloud.hosts.a.b`",
            "must be an IP address",
        ),
        (
            "[providers.icloud.hosts]\n'a.b' = '1.2.3.4:0'",
            "`providers.icloud.hosts.a.b`",
            "must be an IP address",
        ),
    ] {
        let error = from_file(text, home()).unwrap_err().to_string();
        assert!(
            error.contains(place) && error.contains(expected),
            "{text}: {error}"
        );
    }
    let error = from_file("provider = 1", home()).unwrap_err().to_string();
    assert!(error.contains("the nearest is `providers`"), "{error}");
}

#[test]
fn keys_of_credentials_come_from_the_environment_alone() {
    let environment = [
        ("SEXTANT_KEY", "hunter2"),
        ("SEXTANT_KEY_PREVIOUS", "hunter3"),
    ];
    let config = from_environment(environment).unwrap();
    assert_eq!(config.credential_key.as_ref().unwrap().expose(), "hunter2");
    assert!(!format!("{config:?}").contains("hunter"));
    assert!(from_file("sextant_key = 'x'", home()).is_err());
}
