# One entry for people and for CI. Every target sets up what it needs: `make demo` works in a fresh clone.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Extra arguments, such as `make demo ARGS="--speed 10"` or `make test ARGS="-k ledger"`.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo serve models bench bench-naive faults soak evaluate test lint format typecheck unit ops-check dashboards rules chart chart-files image-check docs constraints clean

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## Broker, service and ten consultations on this machine; shows what is flagged
	@$(BIN)/auscult demo $(ARGS)

serve: $(VENV)/.installed ## The service against a broker of yours (AUSCULT_KAFKA__BOOTSTRAP_SERVERS=...)
	@$(BIN)/auscult serve $(ARGS)

models: $(VENV)/.installed ## Build the models and verify their hashes
	@$(BIN)/auscult models build
	@$(BIN)/auscult models verify

bench: $(VENV)/.installed-bench ## All benchmarks: half an hour on a quiet machine; results in benchmarks/results
	@$(BIN)/auscult models build
	@$(BIN)/python -m benchmarks.suite $(ARGS)

bench-naive: $(VENV)/.installed-naive ## The naive torch pipeline on the same segments; several gigabytes
	@$(BIN)/auscult models build
	@$(BIN)/python -m benchmarks.naive_pipeline --signals five default --output benchmarks/results/naive_pipeline.json
	@$(BIN)/python -m benchmarks.report

EVALUATE_IMPACT ?= ../shared/data/clinical_impact.jsonl
EVALUATE_CALLS ?= ../shared/data/primock57
EVALUATE_INJECTED ?= ../shared/data/perturbed.jsonl
EVALUATE_OUTPUT ?= benchmarks/results/evaluation
EVALUATE_MEASURED ?= $(VENV)/evaluated.jsonl

evaluate: $(VENV)/.installed-dev ## How well it finds what is wrong: labels and calls by EVALUATE_IMPACT=..., _CALLS, _INJECTED
	@$(BIN)/auscult models build
	@$(BIN)/auscult evaluate --bare --impact $(EVALUATE_IMPACT) --calls $(EVALUATE_CALLS) \
		--injected $(EVALUATE_INJECTED) --measured $(EVALUATE_MEASURED) --output $(EVALUATE_OUTPUT) $(ARGS)

faults: $(VENV)/.installed-bench ## Break things on a real Apache Kafka and count what is lost: half an hour; needs Java and Maven
	@$(BIN)/auscult models build
	@$(BIN)/python -m benchmarks.faults $(ARGS)

soak: $(VENV)/.installed-bench ## Twenty minutes of calls on a real Apache Kafka, then 500 open ones: memory, latency, nothing lost
	@$(BIN)/auscult models build
	@$(BIN)/python -m benchmarks.suite --only soak soak_open_calls $(ARGS)

test: lint typecheck unit ## Everything that must pass before a commit is merged

lint: $(VENV)/.installed-dev ## Style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed-dev ## Rewrite the code in its format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

typecheck: $(VENV)/.installed-dev ## Types, strictly
	$(BIN)/mypy

unit: $(VENV)/.installed-dev ## The tests, those with a real broker and real models included
	$(BIN)/pytest $(ARGS)

ops-check: dashboards rules chart image-check docs ## Whatever operators are given: dashboards, rules, chart, image, documents

dashboards: $(VENV)/.installed-dev ## Write the dashboards anew; check them, and every query on a real Prometheus
	@$(BIN)/python -m dashboards.build
	$(BIN)/pytest tests/dashboards/test_dashboards.py tests/dashboards/test_names.py tests/dashboards/test_live.py $(ARGS)

rules: $(VENV)/.installed-dev ## Check the rules and Alertmanager's example; test every alert on synthetic series
	$(BIN)/pytest tests/dashboards/test_rules.py tests/dashboards/test_alertmanager.py $(ARGS)

chart: $(VENV)/.installed-dev ## The Helm chart, Dockerfile and compose.yaml; builds Helm once (needs Go)
	$(BIN)/pytest tests/helm tests/deploy

chart-files: $(VENV)/.installed-dev ## Write anew what the chart holds of other files, and its README
	@$(BIN)/python -m deploy.chart

image-check: $(VENV)/.installed-dev ## Run the image's build without Docker, and say what it holds
	@$(BIN)/python -m deploy.image_check $(ARGS)

docs: $(VENV)/.installed-dev ## Write the documents anew that are made of the code; check links, code and lists of all
	@$(BIN)/python -m deploy.documents
	$(BIN)/pytest tests/docs $(ARGS)

constraints: ## Take the newest versions of everything, in a fresh environment, and note them
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	(head -1 constraints.txt; $(BIN)/python -m pip freeze --exclude auscult | sort -f) > constraints.new
	mv constraints.new constraints.txt

clean: ## Remove the environment and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Stamps, so that an environment is installed once and again only when the dependencies change.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Auscult needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Auscult into $(VENV) ..."
	@$(PIP_INSTALL) --editable '.[cpu,demo]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Auscult and its development tools into $(VENV) ..."
	@$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Auscult and its benchmarks into $(VENV) ..."
	@$(PIP_INSTALL) --editable '.[bench]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-naive: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Auscult and torch into $(VENV) ..."
	@$(PIP_INSTALL) --editable '.[bench,export]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-bench
