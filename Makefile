# Two commands set up everything: `make up` (the whole service) and `make test`.
PY ?= python3
BIN := .venv/bin
CHAOS := --kills $${KILLS:-100} --zombies $${ZOMBIES:-12} --seed $${SEED:-1}
# Where the environment forbids it, every process of a test would compile our modules for itself.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: up test quick simulate kills chaos flood matches rounds melds golden schema release-schema broker-config check-deploy bench strength persons drills check-alerts vendor check lint types imports lock clean

up: .venv/.ok
	@$(BIN)/waraq up $(ARGS)

# Three at a time of what computes and now and then waits; four files of what starts processes, which
# mostly wait, the longest first (tests/conftest.py).
test: .venv/.ok
	$(BIN)/pytest -m "not slow" -n 3 --dist worksteal
	$(BIN)/pytest -m "slow and not drill" -n 4 --dist loadfile --no-loadscope-reorder

quick: .venv/.ok
	$(BIN)/pytest -m "not slow"

# The whole service in one process under one seed, bad days included (some minutes); ends with
# exit code 4 and the seed where an invariant does not hold: make simulate ARGS="--seed N".
simulate: .venv/.ok
	@$(BIN)/python -m tests.simulation.run $(ARGS)

# kill -9 of workers at random during whole matches; prints the invariants as numbers.
kills: .venv/.ok
	$(BIN)/python -m tests.service.kill_run --matches 50 --kills 60 --seed $${SEED:-1} --game $${GAME:-hokm}

# Bad days on real processes, on both databases, then a cluster of three brokers (about 10 minutes);
# docs/chaos.md says what goes wrong and what the numbers mean.
chaos: .venv/.ok
	$(BIN)/python -m tests.chaos.run --database sqlite $(CHAOS)
	$(BIN)/python -m tests.chaos.run --database postgresql $(CHAOS)
	$(BIN)/python -m tests.chaos.run --database postgresql --cluster --kills 20 --zombies 2 --seed $${SEED:-1}

# One player floods: what the others notice, quiet and flooded in one run.
flood: .venv/.ok
	$(BIN)/python -m tests.chaos.flood --seconds 20

# Hand: 20 matches of every variant and seat count, embedded and on PostgreSQL (some minutes).
matches: .venv/.ok
	$(BIN)/python -m tests.service.hand_matches --matches 20

# Hand: 10,000 random rounds (cards conserved, every turn can end); the opening search by brute force.
rounds: .venv/.ok
	$(BIN)/python -m tests.rules.hand_rounds --rounds 10000

melds: .venv/.ok
	$(BIN)/python -m tests.rules.hand_brute --hands 2000

# Writes tests/golden/ anew: only until 0.1.0, when a rule is mended; see the diff.
golden: .venv/.ok
	$(BIN)/python -m tests.golden_logs

# The contract for client authors as files, from today's code.
schema: .venv/.ok
	$(BIN)/waraq schema --out docs/schema

# deploy/nats/waraq.conf, from today's permissions and limits; a test compares.
broker-config: .venv/.ok
	$(BIN)/waraq broker-config > deploy/nats/waraq.conf

# Promises today's schema to clients: only when a break of the old one was decided, or a step up
# (docs/schema/README.md).
release-schema: schema
	cp docs/schema/schema.json schemas/released/schema.json
	$(BIN)/python -m tests.schemas.channels > schemas/released/channels.json

# Every measure on SQLite and on a PostgreSQL of its own, into docs/benchmarks.md (about 15 minutes
# on a quiet machine; ARGS="--quick" to see that it runs, ARGS="--postgres URL" for another server).
bench: .venv/.bench
	$(BIN)/python -m tests.bench_run --write docs/benchmarks.md $(ARGS)

# The ladder of the bots on fresh deals, into docs/bots.md (the better part of an hour); exit code 4
# where a level is not as strong as promised. SEED=N has the same deals again, ARGS="--quick" runs few.
strength: .venv/.bench
	$(BIN)/python -m services.cli.strength --write docs/bots.md $(ARGS)

# Persons at the page, all of them: whole matches of both games in three languages on a phone and a desk
# (some minutes); the gate has some of them. Pictures stay in shots/.
persons: .venv/.ok
	WARAQ_ALL_GUESTS=1 $(BIN)/pytest tests/page -m slow -n 3 --dist loadfile

# The drills of docs/operations.md as tests: a cluster brought up by the page's own lines that loses a
# node, upgrade and roll back, backup and restore on both databases, each of its steps killed.
drills: .venv/.ok
	$(BIN)/pytest -m drill -n 2 --dist loadfile

# Everything in deploy/, offline: by nats-server, psql and PostgreSQL, Compose, hadolint, kustomize (where
# there is a kubectl), Kubernetes' schemas, promtool; then all of it as one service. Only promtool is
# fetched, once and where there is an apt-get: without it the tests say that rules were not judged.
check-deploy: .venv/.ok
	@command -v apt-get >/dev/null && $(MAKE) --silent $(BIN)/promtool || echo "no promtool can be fetched" >&2
	$(BIN)/pytest tests/deploy -n 3 --dist loadfile -q

# Prometheus' own tool judges the alert rules by deploy/prometheus/alerts_test.yml.
check-alerts: .venv/bin/promtool
	$(BIN)/pytest tests/deploy/test_alerts.py -q

# Not again after each set-up: it comes from none of what that reads.
.venv/bin/promtool: | .venv/.ok
	@deploy/prometheus/promtool.sh $@

# What the page needs of others, from the packages of tests/npm (services/web/static/vendor/README.md).
vendor: .venv/.ok
	@$(BIN)/python -m tests.page.vendoring

.venv/.bench: .venv/.ok
	@pip="$(BIN)/python -m pip"; $$pip --version >/dev/null 2>&1 || pip="$(PY) -m pip --python $(BIN)/python"; \
	  PIP_DISABLE_PIP_VERSION_CHECK=1 $$pip install --quiet --no-build-isolation --editable '.[bench]'
	@touch $@

check: lint types imports

lint: .venv/.ok
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.ok
	$(BIN)/mypy

imports: .venv/.ok
	$(BIN)/lint-imports

# A venv without ensurepip (some distributions) is filled by the pip that called it.
.venv/.ok: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PY) -m venv .venv 2>/dev/null || $(PY) -m venv --clear --without-pip .venv
	@echo "setting up .venv (about half a minute, once)" >&2
	@pip="$(BIN)/python -m pip"; $$pip --version >/dev/null 2>&1 || pip="$(PY) -m pip --python $(BIN)/python"; \
	  export PIP_DISABLE_PIP_VERSION_CHECK=1 && \
	  $$pip install --quiet --require-hashes --requirement requirements.lock && \
	  $$pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Rewrites requirements.lock, the image's, and what each extra adds to that; they carry hashes and no host
# name.
lock: .venv/.ok
	$(PY) -m venv .venv/lock && .venv/lock/bin/pip install --quiet uv
	UV_PYTHON_DOWNLOADS=never .venv/lock/bin/uv pip compile --quiet --universal --generate-hashes \
	  --no-header --no-annotate pyproject.toml --group dev --output-file requirements.lock
	UV_PYTHON_DOWNLOADS=never .venv/lock/bin/uv pip compile --quiet --universal --generate-hashes \
	  --no-header --no-annotate pyproject.toml --constraint requirements.lock --output-file deploy/requirements.lock
	for extra in tracing analytics screen; do \
	  UV_PYTHON_DOWNLOADS=never .venv/lock/bin/uv pip compile --quiet --universal --generate-hashes \
	    --no-header --no-annotate pyproject.toml --extra $$extra --constraint requirements.lock \
	    --output-file .venv/lock/$$extra.lock && \
	  awk -f deploy/extras/added.awk deploy/requirements.lock .venv/lock/$$extra.lock > deploy/extras/$$extra.lock || exit 1; \
	done

clean:
	rm -rf .venv data .mypy_cache .ruff_cache .pytest_cache .hypothesis
