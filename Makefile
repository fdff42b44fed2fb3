# For a fresh machine. Each looks for what is missing, says how it is installed, and installs it where it
# may; then it is plain cargo.

.PHONY: run test check dist

run:
	@sh scripts/prepare.sh
	@. scripts/toolchain.sh && cargo run --release

# The program to install elsewhere: slower to build, faster to run, in a tarball.
dist:
	@sh scripts/prepare.sh
	@sh scripts/dist.sh

test:
	@sh scripts/prepare.sh
	@. scripts/toolchain.sh && cargo test

check:
	@sh scripts/prepare.sh
	@. scripts/toolchain.sh && cargo fmt --all --check && cargo clippy --all-targets -- -D warnings
