# Targets explain themselves: make help. Everything they need beside Go, git,
# make and gcc they fetch, Postgres servers included, as root or not.

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS  = -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)
TIMEOUT ?= 15m
FUZZTIME ?= 60s

.DEFAULT_GOAL := help
.PHONY: help build demo test test-all bench microbench mutants lint fuzz fmt golden clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the static binary bin/autocdc
	@echo "== build bin/autocdc $(VERSION)"
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/autocdc ./cmd/autocdc

demo: build ## play a small shop on throw-away servers and show the tables
	@echo "== demo: starts two Postgres servers of its own and removes them in the end"
	bin/autocdc demo

test: ## what guards a release: vet and all tests, database tests included
	@echo "== vet"
	go vet ./...
	@echo "== test: starts throw-away Postgres servers (CONTRIBUTING.md says which)"
	go test -count=1 -timeout $(TIMEOUT) ./...

test-all: test ## test, then with new random numbers the long schedules, the race detector, and Postgres 16, 17 and 18
	@echo "== long schedules: faults, pgbench, a transaction of 10 million rows, a row of 200 MB, 2000 tables"
	AUTOCDC_LONG=1 go test -count=1 -timeout 60m ./test/fault ./test/real
	@echo "== test under the race detector"
	AUTOCDC_SEED=random go test -race -timeout 45m ./...
	@echo "== test on other versions of Postgres"
	for v in 16 17 18; do \
		echo "-- source and target $$v"; AUTOCDC_SEED=random AUTOCDC_TEST_PG=$$v go test -count=1 -timeout $(TIMEOUT) ./... || exit 1; \
	done
	@echo "-- source 15, target 18"
	AUTOCDC_SEED=random AUTOCDC_TEST_PG=15 AUTOCDC_TEST_PG_TARGET=18 go test -count=1 -timeout $(TIMEOUT) ./...

bench: ## measure beside native replication, with and without a history trigger; BENCH='-work bulk' for less
	@echo "== bench: docs/benchmarks.md explains it; takes a quarter of an hour, and the machine for itself"
	go run ./test/bench -json bench.json $(BENCH)

microbench: ## run the Go benchmarks of the packages, that of snapshots included
	@echo "== microbench: numbers hold for this machine and its load only"
	go test -run '^$$' -bench . -benchmem -timeout 60m ./...

mutants: ## break the generated SQL rule by rule; the tests must notice
	@echo "== mutants"
	go run ./test/mutants

lint: ## golangci-lint and gofumpt, pinned; builds them once into .cache
	@echo "== lint"
	scripts/lint

fuzz: ## run every fuzz target for FUZZTIME (60s)
	@echo "== fuzz, $(FUZZTIME) a target"
	scripts/fuzz $(FUZZTIME)

fmt: ## format the Go files with gofumpt
	@echo "== fmt"
	scripts/lint fmt

golden: ## rewrite the golden files; read the diff before you commit it
	@echo "== golden: rewriting the files, tests that compare them pass whatever they hold"
	scripts/golden
	git status --short

clean: ## remove bin and .cache; the servers' cache in your cache directory stays
	@echo "== clean"
	rm -rf bin .cache
