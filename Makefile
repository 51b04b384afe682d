# `make` alone lists the targets. Everything is set up below .venv on first use; repeats are quick.

PYTHON ?= python3
BIN := .venv/bin
DATA ?=
COMMIT ?=
WITHIN ?=
SOURCES := $(shell find crates -path '*/src/*' -type f) $(shell find crates -name Cargo.toml) Cargo.toml Cargo.lock

.DEFAULT_GOAL := help
.PHONY: help build demo stop test quality check format docs bench bench-guard wheel arm clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

.venv/tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'maturin>=1.10,<2'
	touch $@

# one profile for all: what is tested is optimised as what is installed
.venv/built: .venv/tools $(SOURCES)
	PIP_QUIET=1 $(BIN)/maturin develop --release --quiet --extras dev
	$(BIN)/python -m compileall -q python/neardup
	touch $@

build: .venv/built ## build the extension and install neardup with its development tools into .venv

demo: .venv/built stop ## deduplicate the licences and readmes of the packages in .venv, report and serve the result
	$(BIN)/python docs/demo/collect.py demo/texts
	$(BIN)/neardup dedup demo/texts -o demo/result --index --overwrite
	cp demo/result/report.html demo/report.html
	$(BIN)/python docs/demo/site.py demo/texts demo/result/sweeps
	@echo "the report is demo/report.html"
	@$(BIN)/python docs/demo/service.py start demo/result

stop: .venv/built ## stop the service that `make demo` started
	@$(BIN)/python docs/demo/service.py stop demo/result

test: .venv/built ## run all tests of Rust and Python
	cargo test --release --workspace --exclude neardup-py --quiet
	$(BIN)/python -m pytest -q -n auto --maxprocesses 3 --dist loadfile tests bench

quality: .venv/built ## evaluate on labelled data: make quality DATA=FOLDER
	@test -n "$(DATA)" || { echo "usage: make quality DATA=FOLDER" >&2; exit 2; }
	$(BIN)/python -m pytest -q tests/quality --data "$(DATA)"

check: .venv/built ## check style, types, stubs and generated pages
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest neardup._core --ignore-missing-stub
	$(BIN)/python docs/generate.py --check

format: .venv/tools ## format the sources
	cargo fmt --all
	$(BIN)/ruff format

docs: .venv/built ## write the generated pages of docs, and the API pages of the crates
	$(BIN)/python docs/generate.py
	cargo doc --workspace --no-deps --quiet

bench: .venv/built ## compare speed and recall with other tools: make bench DATA=DOCS.jsonl
	@test -n "$(DATA)" || { echo "usage: make bench DATA=DOCS.jsonl" >&2; exit 2; }
	$(BIN)/python bench/compare.py "$(DATA)"

bench-guard: ## count instructions beside those of another commit: make bench-guard [COMMIT=...] [WITHIN=PERCENT]
	@$(PYTHON) bench/guard.py $(COMMIT) $(if $(WITHIN),--within $(WITHIN))

wheel: .venv/tools ## build the wheel of this machine into dist, and try it where there is no Rust
	rm -rf dist
	$(BIN)/maturin build --release --quiet --out dist
	$(BIN)/python packaging/fresh.py dist/*.whl

arm: ## run the golden vectors and the wheel on an emulated aarch64; needs Debian's apt-get, no root
	packaging/arm.sh .cache/arm

clean: ## remove everything that was built
	rm -rf .venv .cache demo dist target bench/truth/target
