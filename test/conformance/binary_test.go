package conformance_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/conformance"
	"github.com/autocdc/autocdc/test/model"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// pipeline runs many cases at once: a feed table and a flow each.
type pipeline struct {
	*service.Service
	source string
	target *pgx.Conn
	cases  []conformance.Case
	failed map[string]bool
}

func start(t *testing.T, cut func(conformance.Case) model.Case) *pipeline {
	t.Helper()
	p := &pipeline{source: pgtest.Database(t), failed: map[string]bool{}}
	target := pgtest.TargetDatabase(t)
	var ddl, flows strings.Builder
	for _, c := range selected(t) {
		c.Case = cut(c)
		p.cases = append(p.cases, c)
		ddl.WriteString(feedTable(c) + ";\n")
		flows.WriteString(flow(c))
	}
	pgtest.Exec(t, p.source, ddl.String())
	pgtest.Exec(t, target, "CREATE SCHEMA "+targetSchema)
	p.target = pgtest.Conn(t, target)
	p.Service = service.New(t, service.Config{
		Pipeline: "conformance", Sources: map[string]string{"feeds": p.source}, Target: target,
	}, flows.String())
	return p
}

// steps returns the length of the longest feed.
func (p *pipeline) steps() int {
	most := 0
	for _, c := range p.cases {
		most = max(most, len(c.Feed))
	}
	return most
}

// feed appends batch n of every case, a transaction each.
func (p *pipeline) feed(t *testing.T, n int) {
	t.Helper()
	var sql strings.Builder
	for _, c := range p.cases {
		if n < len(c.Feed) {
			sql.WriteString(insert(c, c.Feed[n]))
		}
	}
	pgtest.Exec(t, p.source, sql.String())
}

// compare compares every target with the model after n batches, and with the
// expected rows of its case after the last.
func (p *pipeline) compare(t *testing.T, n int) {
	t.Helper()
	for _, c := range p.cases {
		if p.failed[c.Name] {
			continue
		}
		rows, n := c.Expected, min(n, len(c.Feed))
		if n < len(c.Feed) {
			rows = model.Expected(c.Until(n))
		}
		if err := compare(context.Background(), p.target, c, rows); err != nil {
			p.failed[c.Name] = true
			t.Errorf("case %s differs after batch %d of %d: %v\nfeed\n%s%s", c.Name, n, len(c.Feed), err, showFeed(c), flow(c))
		}
	}
}

// step brings the targets up to date and compares them. A run that fails is
// reported, and the comparison still says which cases it left behind.
func (p *pipeline) step(t *testing.T, n int) {
	t.Helper()
	r := p.TriggeredResult()
	if r.Code != 0 {
		t.Errorf("step %d: %v", n, r)
	}
	if n > 0 || r.Code == 0 { // else there may be no targets
		p.compare(t, n)
	}
	if r.Code != 0 {
		t.FailNow()
	}
}

func asGiven(c conformance.Case) model.Case      { return c.Case }
func oneBatch(c conformance.Case) model.Case     { return c.OneBatch() }
func eventByEvent(c conformance.Case) model.Case { return c.EventByEvent() }

// stepByStep runs the binary after each batch of a cut.
func stepByStep(t *testing.T, cut func(conformance.Case) model.Case) {
	t.Helper()
	p := start(t, cut)
	p.step(t, 0)
	for n := range p.steps() {
		p.feed(t, n)
		p.step(t, n+1)
	}
}

func TestRun_GivesTheExpectedRows_AsGiven(t *testing.T) {
	t.Parallel()
	stepByStep(t, asGiven)
}

func TestRun_GivesTheExpectedRows_InOneBatch(t *testing.T) {
	t.Parallel()
	stepByStep(t, oneBatch)
}

func TestRun_GivesTheExpectedRows_EventByEvent(t *testing.T) {
	t.Parallel()
	stepByStep(t, eventByEvent)
}

// Everything is in the feed before the pipeline first runs.
func TestRun_GivesTheExpectedRows_ByTheInitialCopy(t *testing.T) {
	t.Parallel()
	p := start(t, oneBatch)
	p.feed(t, 0)
	p.step(t, 1)
}

// The batches come while the service runs; how it cuts them is its own affair.
func TestRun_GivesTheExpectedRows_Continuously(t *testing.T) {
	t.Parallel()
	p := start(t, eventByEvent)
	p.step(t, 0)
	service := p.Start()
	for n := range p.steps() {
		p.feed(t, n)
	}
	service.Interrupt()
	p.step(t, p.steps())
}
