# The commands of a developer's day. `make demo` shows it working, `make test` checks everything.
# CARGO_TARGET_DIR, DESKHAND_MODELS_DIR (where the models are kept) and MODEL (another GGUF file to pack) are honoured.

.PHONY: help demo test build models fmt lint deny clean-dist

help:
	@echo 'make demo        build, then enter three orders into a practice window and compare'
	@echo 'make test        everything that must hold: format, licences, lints, tests'
	@echo 'make build       dist/deskhand, the complete executable (MODEL=file.gguf: with another model)'
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
