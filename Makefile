# `make` alone lists the targets. The first use sets everything up below .venv; later uses are quick.

PYTHON ?= python3
BIN := .venv/bin
DATA ?=
COMMIT ?=
MINUTES ?=
WITHIN ?=
SOURCES := $(shell find crates -path '*/src/*' -type f) $(shell find crates -name Cargo.toml) Cargo.toml Cargo.lock

CARGO := --release --workspace --quiet
PHASE := .ci/phase
PYTEST := $(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder

# The environment of maturin, so that clippy and the Rust tests compile nothing again.
export PYO3_BUILD_EXTENSION_MODULE := 1
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export RUSTC_WRAPPER := $(CURDIR)/.ci/rustc
# It would override the number of cases of every property test, even if the test sets its own.
unexport PROPTEST_CASES
# Packages are fetched while the extension is compiled.
MAKEFLAGS += --jobs=2
# Otherwise cargo would wait for job tokens of make.
unexport MAKEFLAGS MFLAGS
# Hundreds of test processes read the bytecode that the first of them compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help build demo stop test python-tests rust-tests quick steady test-deep quality check style clippy types mypy stubs format docs bench bench-cluster bench-guard workflows wheel arm clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

.venv/tools:
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'maturin>=1.10,<2' 'uv>=0.9'
	touch $@

.venv/packages: .venv/tools pyproject.toml
	$(PHASE) packages .ci/packages $(BIN)
	touch $@

# One profile for all, so that the tested code is optimised like the installed code.
.venv/compiled: .venv/tools $(SOURCES)
	$(PHASE) extension $(BIN)/maturin develop --release --quiet --skip-install
	touch $@

.venv/built: .venv/packages .venv/compiled pyproject.toml
	$(BIN)/maturin develop --release --quiet
	$(BIN)/python -m compileall -q python/neardup
	touch $@

build: .venv/built ## build the extension and install neardup with its development tools into .venv

demo: .venv/built stop ## deduplicate the licences and readmes of the packages in .venv, report and serve the result
	$(BIN)/python tools/demo/collect.py demo/texts
	rm -rf demo/result
	$(BIN)/neardup dedup demo/texts -o demo/result --index
	cp demo/result/report.html demo/report.html
	$(BIN)/python tools/demo/site.py demo/texts demo/result/sweeps
	@echo "the report is demo/report.html"
	@$(BIN)/python tools/demo/service.py start demo/result

stop: .venv/built ## stop the service that `make demo` started
	@$(BIN)/python tools/demo/service.py stop demo/result

test: python-tests rust-tests ## run the tests: every kind of behaviour once

# Both run at once, because neither keeps all cores busy.
python-tests: .venv/built
	$(PHASE) 'Python tests' $(PYTEST) tests bench

rust-tests: .venv/built
	$(PHASE) 'Rust tests, build' cargo test $(CARGO) --tests --no-run
	$(PHASE) 'Rust tests' cargo test $(CARGO) --tests
	$(PHASE) 'Rust docs' cargo test $(CARGO) --doc

quick: .venv/packages ## check what the files that changed can break, within a minute or so
	@$(BIN)/python tools/quick.py

steady: .venv/built ## run tests that could fail by chance until each has passed 20 times: make steady [MINUTES=...]
	$(BIN)/python tools/steady.py $(if $(MINUTES),--minutes $(MINUTES))
	$(BIN)/python tools/steady.py --whole $(if $(MINUTES),--minutes $(MINUTES))

test-deep: .venv/built ## run the tests and what repeats a kind, on labelled data too: make test-deep [DATA=FOLDER]
	cargo test $(CARGO) -- --include-ignored
	for draw in 2 3 4 5 6 7 8; do cargo test $(CARGO) --tests || exit; done
	$(PYTEST) --deep tests bench
	$(if $(DATA),$(PYTEST) -n 2 --deep tests/quality --data "$(DATA)")

quality: .venv/built ## evaluate on labelled data: make quality DATA=FOLDER
	@test -n "$(DATA)" || { echo "usage: make quality DATA=FOLDER" >&2; exit 2; }
	$(PHASE) quality $(PYTEST) -n 2 tests/quality --data "$(DATA)"

check: style clippy types ## check style, types, stubs and generated pages

style: .venv/built
	cargo fmt --all --check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python tools/rooms.py
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python tools/words.py
	$(BIN)/python tools/options.py --check
	$(BIN)/python tools/public.py --check
	$(BIN)/python tools/docs/generate.py --check

clippy: .venv/built
	$(PHASE) clippy .ci/clippy

types: mypy stubs

# Needs no extension, and runs during its build.
mypy: .venv/packages
	$(PHASE) mypy $(BIN)/mypy
	$(PHASE) 'mypy of bench' $(BIN)/mypy bench tests/quality/*.py

stubs: .venv/built
	$(PHASE) stubs $(BIN)/python -m mypy.stubtest neardup._core --ignore-missing-stub --mypy-config-file tools/stubtest.ini

format: .venv/tools ## format the sources
	cargo fmt --all
	$(BIN)/ruff format

docs: .venv/built ## write the generated pages of docs, and the API pages of the crates
	$(BIN)/python tools/options.py
	$(BIN)/python tools/public.py
	$(BIN)/python tools/docs/generate.py
	cargo doc --workspace --no-deps --quiet

bench: .venv/built ## compare speed and recall with other tools: make bench DATA=DOCS.jsonl
	@test -n "$(DATA)" || { echo "usage: make bench DATA=DOCS.jsonl" >&2; exit 2; }
	$(BIN)/python bench/compare.py "$(DATA)"

bench-cluster: .venv/built ## measure and simulate the figures of docs/guides/cluster.md, and write its tables
	$(BIN)/python bench/cluster_plan.py --json docs/guides/cluster.json
	$(BIN)/python bench/simulate_keys.py --json docs/guides/cluster.json
	$(BIN)/python bench/minhash_lsh.py --json docs/guides/cluster.json
	$(BIN)/python tools/docs/generate.py

workflows: ## check the workflows of GitHub
	@actionlint=$$(packaging/actionlint.sh .cache/actionlint) && "$$actionlint" .github/workflows/*.yml

bench-guard: ## count instructions beside those of another commit: make bench-guard [COMMIT=...] [WITHIN=PERCENT]
	@$(PYTHON) bench/guard.py $(COMMIT) $(if $(WITHIN),--within $(WITHIN))

wheel: .venv/tools ## build the wheel of this machine into dist, and try it where there is no Rust
	rm -rf dist
	$(BIN)/maturin build --release --quiet --out dist
	$(BIN)/python packaging/fresh.py dist/*.whl

arm: ## run the golden vectors and the wheel on an emulated aarch64; needs Debian's apt-get, no root
	env -u PYO3_BUILD_EXTENSION_MODULE -u PYO3_PYTHON packaging/arm.sh .cache/arm

clean: ## remove everything that was built
	rm -rf .venv .cache demo dist target
