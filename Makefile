# Two commands for a fresh machine. Each looks for what is missing, says how it is installed, and installs it where it
# may; then it is plain cargo.

.PHONY: run test check

run:
	@sh scripts/prepare.sh
	@. scripts/toolchain.sh && cargo run --release

test:
	@sh scripts/prepare.sh
	@. scripts/toolchain.sh && cargo test

check:
	@sh scripts/prepare.sh
	@. scripts/toolchain.sh && cargo fmt --all --check && cargo clippy --all-targets -- -D warnings
