package autocdc

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/autocdc/autocdc/merge"
)

// metrics holds the figures of one Run in a registry of its own.
type metrics struct {
	registry     *prometheus.Registry
	lagBytes     *prometheus.GaugeVec
	lagSeconds   *prometheus.GaugeVec
	up           *prometheus.GaugeVec
	rows         *prometheus.CounterVec
	batches      *prometheus.CounterVec
	transactions *prometheus.CounterVec
	bytes        *prometheus.HistogramVec
	seconds      *prometheus.HistogramVec
	copied       *prometheus.CounterVec
	retries      *prometheus.CounterVec
	stopped      *prometheus.GaugeVec
	beyond       *prometheus.GaugeVec
	expected     *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry:     prometheus.NewRegistry(),
		lagBytes:     gauge("lag_bytes", "WAL of the source that the target has not applied.", "source"),
		lagSeconds:   gauge("lag_seconds", "Age of the oldest change that the target has not applied; 0 if there is none.", "source"),
		up:           gauge("source_up", "1 while the source is copied or followed.", "source"),
		rows:         counter("rows_total", "Events merged, as the merge classified them.", "source", "flow", "op"),
		batches:      counter("batches_total", "Batches merged.", "source"),
		transactions: counter("transactions_total", "Source transactions merged.", "source"),
		bytes:        histogram("batch_bytes", "Size of the rows of a batch.", prometheus.ExponentialBuckets(64, 8, 9), "source"),
		seconds:      histogram("batch_seconds", "Time the target needed for a batch.", prometheus.ExponentialBuckets(0.001, 3, 11), "source"),
		copied:       counter("copied_rows_total", "Rows of first copies.", "source", "flow"),
		retries:      counter("retries_total", "Attempts that failed and were tried again.", "source"),
		stopped:      gauge("flow_stopped", "1 if the flow is stopped by an error.", "source", "flow"),
		beyond:       gauge("late_beyond_window", "Events of the flow's target that came when what they needed had been forgotten.", "source", "flow"),
	}
	m.expected = counter("expectation_rows_total", "Rows of flows tested against an expectation of their target.", "source", "flow", "expectation", "result")
	m.registry.MustRegister(m.expected, m.lagBytes, m.lagSeconds, m.up, m.rows, m.batches, m.transactions, m.bytes, m.seconds,
		m.copied, m.retries, m.stopped, m.beyond, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "autocdc", Name: name, Help: help}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "autocdc", Name: name, Help: help}, labels)
}

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "autocdc", Name: name, Help: help, Buckets: buckets}, labels)
}

// declare makes the series of a source and its flows, so that they are there
// before anything happens.
func (m *metrics) declare(source string, flows []*merge.Flow) {
	m.up.WithLabelValues(source).Set(0)
	m.declareFlows(source, flows)
}

// declareFlows does so for flows of a source that is not followed.
func (m *metrics) declareFlows(source string, flows []*merge.Flow) {
	m.batches.WithLabelValues(source)
	m.retries.WithLabelValues(source)
	for _, f := range flows {
		m.stopped.WithLabelValues(source, f.Name).Set(0)
		none := merge.Counts{}
		for _, e := range f.Expectations {
			none.Expected = append(none.Expected, merge.Expected{Name: e.Name})
		}
		m.count(source, f.Name, none)
	}
}

func (m *metrics) count(source, flow string, c merge.Counts) {
	for op, n := range map[string]int64{"upsert": c.Upserts, "delete": c.Deletes, "truncate": c.Truncates, "late": c.Late} {
		m.rows.WithLabelValues(source, flow, op).Add(float64(n))
	}
	for _, e := range c.Expected {
		m.expected.WithLabelValues(source, flow, e.Name, "passed").Add(float64(e.Passed))
		m.expected.WithLabelValues(source, flow, e.Name, "failed").Add(float64(e.Failed))
	}
}

// observer tells metrics, and the log what helps, when the applier of one source
// has done something.
type observer struct {
	*metrics
	source string
	log    *slog.Logger
}

// Applied implements merge.Observer.
func (o observer) Applied(counts map[string]merge.Counts, txs, bytes int, took time.Duration, _ time.Time) {
	o.batches.WithLabelValues(o.source).Inc()
	o.transactions.WithLabelValues(o.source).Add(float64(txs))
	o.metrics.bytes.WithLabelValues(o.source).Observe(float64(bytes))
	o.seconds.WithLabelValues(o.source).Observe(took.Seconds())
	for flow, c := range counts {
		o.count(o.source, flow, c)
	}
}

// FlowStopped implements merge.Observer.
func (o observer) FlowStopped(flow string, err error) {
	if hint := hintOf(err); hint != "" {
		o.log.Error("to let the flow go on", "flow", flow, "hint", hint)
	}
	o.stopped.WithLabelValues(o.source, flow).Set(1)
}
