//! What the compose file and the Dockerfile promise: no port is published beyond this computer, and the data outlives
//! the containers.

use super::source::text_of;

/// The lines below `key:` at this depth, without comments.
fn block<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let start = text
        .lines()
        .position(|line| line.trim_end().trim_start() == format!("{key}:"));
    let Some(start) = start else {
        return Vec::new();
    };
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = text.lines().nth(start).map_or(0, depth);
    text.lines()
        .skip(start + 1)
        .take_while(|line| line.trim().is_empty() || depth(line) > own)
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .collect()
}

fn entries(text: &str, service: &str, key: &str) -> Vec<String> {
    let service = block(text, service).join("\n");
    let lines = block(&service, key);
    lines
        .iter()
        .map(|line| {
            line.trim()
                .trim_start_matches("- ")
                .trim_matches(['"', '\''])
                .to_owned()
        })
        .collect()
}

/// Replaces `${NAME:-default}` as Docker Compose does.
fn interpolated(text: &str, set: &[(&str, &str)]) -> String {
    let Some((before, rest)) = text.split_once("${") else {
        return text.to_owned();
    };
    let (inner, rest) = rest.split_once('}').unwrap();
    let (name, default) = inner.split_once(":-").unwrap();
    let value = set.iter().find(|(known, _)| *known == name);
    let value = value.map_or(default, |(_, value)| value);
    format!("{before}{value}{}", interpolated(rest, set))
}

#[test]
fn r004_both_ports_of_the_app_are_published_on_loopback_only() {
    let compose = text_of("compose.yaml");
    let ports = entries(&compose, "app", "ports");
    assert!(ports.iter().all(|port| port.starts_with("127.0.0.1:")));
    let published = |set: &[(&str, &str)]| -> Vec<String> {
        ports.iter().map(|port| interpolated(port, set)).collect()
    };
    assert_eq!(
        published(&[]),
        ["127.0.0.1:8787:8787", "127.0.0.1:8788:8788"]
    );
    let moved = [("REST_PORT", "9001"), ("MCP_PORT", "9002")];
    assert_eq!(
        published(&moved),
        ["127.0.0.1:9001:9001", "127.0.0.1:9002:9002"]
    );
    assert_eq!(
        compose.matches("ports:").count(),
        1,
        "only `app` publishes ports"
    );
}

#[test]
fn a_port_that_moves_moves_for_the_service_and_its_health_check_too() {
    let compose = text_of("compose.yaml");
    let told = entries(&compose, "app", "environment");
    let told: Vec<_> = told
        .iter()
        .map(|entry| interpolated(&entry.replace('"', ""), &[("REST_PORT", "9001")]))
        .collect();
    let expected = [
        "REST_PORT: 9001",
        "MCP_PORT: 8788",
        "BIND: 0.0.0.0",
        "DATA_DIR: /var/lib/sextant",
    ];
    assert_eq!(told, expected);
    let dockerfile = text_of("Dockerfile");
    let (_, check) = dockerfile.split_once("HEALTHCHECK").unwrap();
    let check = interpolated(check, &[("REST_PORT", "9001")]);
    assert!(check.contains("/dev/tcp/127.0.0.1/9001 ") && check.contains("[\"bash\", \"-c\""));
}

#[test]
fn r004_no_database_is_a_service_of_its_own() {
    let services = block(&text_of("compose.yaml"), "services").join("\n");
    let names: Vec<&str> = services
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .collect();
    assert_eq!(names, ["  app:"]);
}

#[test]
fn the_data_outlives_the_container() {
    let compose = text_of("compose.yaml");
    let dockerfile = text_of("Dockerfile");
    assert_eq!(
        entries(&compose, "app", "volumes"),
        ["data:/var/lib/sextant"]
    );
    assert!(dockerfile.contains("DATA_DIR=/var/lib/sextant"));
    assert!(dockerfile.contains("VOLUME /var/lib/sextant"));
}

#[test]
fn r500_the_image_listens_inside_and_runs_as_nobody_special() {
    let dockerfile = text_of("Dockerfile");
    let user = dockerfile
        .lines()
        .rfind(|line| line.starts_with("USER "))
        .unwrap();
    assert!(dockerfile.contains("BIND=0.0.0.0"));
    assert!(!user.contains("root") && user != "USER 0", "{user}");
}

#[test]
fn a_port_open_to_the_world_is_seen() {
    let bad = "services:\n  app:\n    ports:\n      # - \"127.0.0.1:1:1\"\n      - \"8787:8787\"\n    image: x\n  db:\n    ports:\n      - 5432\n";
    assert_eq!(entries(bad, "app", "ports"), ["8787:8787"]);
    assert_eq!(entries(bad, "db", "ports"), ["5432"]);
}
