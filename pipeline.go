package autocdc

import (
	"io"
	"log/slog"
	"time"

	"github.com/autocdc/autocdc/config"
	"github.com/autocdc/autocdc/config/flowsql"
)

// Source is a server that flows read from.
type Source struct {
	Name string
	DSN  string
}

// Pipeline is a declaration: where changes come from, where they go, and the
// statements of the flow files. Its methods may be called one after the other;
// each connects anew.
type Pipeline struct {
	Name           string // of slots and publications, with the source's name; default "autocdc"
	Sources        []Source
	Target         string // DSN
	MetadataSchema string // on the target; default "autocdc"
	// LateArrival is how long what only late events need is remembered; nil: 48 hours.
	LateArrival *config.Window
	Files       []*flowsql.File

	Log      *slog.Logger // nil: silent
	Progress Progress     // nil: long steps are told in the log
}

// withDefaults returns a copy in which nothing is empty that must not be.
func (p *Pipeline) withDefaults() *Pipeline {
	q := *p
	if q.Name == "" {
		q.Name = "autocdc"
	}
	if q.MetadataSchema == "" {
		q.MetadataSchema = "autocdc"
	}
	if q.LateArrival == nil {
		q.LateArrival = &config.Window{Duration: 48 * time.Hour}
	}
	if q.Log == nil {
		q.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return &q
}

// slot is the name of the pipeline's slot and publication at a source.
func (p *Pipeline) slot(source string) string { return p.Name + "_" + source }

func (p *Pipeline) sourceNames() []string {
	names := make([]string, len(p.Sources))
	for i, s := range p.Sources {
		names[i] = s.Name
	}
	return names
}
