# The commands of a developer's day. `make demo` shows it working, `make test` checks everything.
# CARGO_TARGET_DIR, DESKHAND_MODELS_DIR (where the models are kept) and MODEL (another GGUF file to pack) are honoured.

# The Windows executable needs Debian's mingw-w64, its test Wine as well; both are installed when missing.

.PHONY: help demo test build windows test-windows models fmt lint deny clean-dist

help:
	@echo 'make demo        build, then enter three orders into a practice window and compare'
	@echo 'make test        everything that must hold: format, licences, lints, tests'
	@echo 'make build       dist/deskhand, the complete executable (MODEL=file.gguf: with another model)'
	@echo 'make windows     dist/deskhand.exe, the same for Windows'
	@echo 'make test-windows  that executable under Wine: lints, unit tests, forms that are filled'
	@echo 'make models      fetch and check the pinned models'
	@echo 'make fmt         format the code'
	@echo 'make lint        clippy, warnings are errors'
	@echo 'make deny        licences and sources of the dependencies'
	@echo 'make clean-dist  delete dist/'

demo:
	@bench/demo

test:
	@tools/test

build:
	@tools/build

windows:
	@tools/build windows

test-windows:
	@tools/test-windows

models:
	@models/fetch

fmt:
	cargo fmt

lint:
	cargo clippy --release --locked --all-targets -- -D warnings

deny:
	tools/cargo-deny --log-level warn check licenses bans sources

clean-dist:
	rm -rf dist
