package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/config"
)

// settings are the flags that commands share.
type settings struct {
	Config    string   `short:"c" placeholder:"FILE" help:"Configuration file. Default: autocdc.yaml if there is one."`
	Source    []string `placeholder:"NAME=DSN" sep:"none" help:"A source; repeatable. Also AUTOCDC_SOURCE_<NAME>."`
	Target    string   `placeholder:"DSN" help:"The target. Also AUTOCDC_TARGET."`
	LogFormat string   `enum:"text,json" default:"text" placeholder:"FORMAT" help:"text or json. Default: ${default}"`
	LogLevel  string   `enum:"debug,info,warn,error" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error. Default: ${default}"`
}

// pipeline reads configuration and flow files, those named on the command line
// instead of the configuration's; where says how it names them.
func (s *settings) pipeline(flows []string, where string, log io.Writer) (*autocdc.Pipeline, error) {
	cfg, err := s.load()
	if err != nil {
		return nil, err
	}
	if len(flows) == 0 {
		flows = cfg.Flows
	}
	if len(flows) == 0 {
		return nil, &wrongUse{"find flow files: none is named", "name them " + where + " or under flows: in autocdc.yaml; autocdc init writes a first one"}
	}
	if cfg.Target == "" {
		return nil, noTarget()
	}
	p := s.declare(cfg, log)
	p.Files, err = autocdc.LoadFiles(flows)
	var faults *autocdc.FaultsError
	if err != nil && !errors.As(err, &faults) {
		return nil, &wrongUse{err.Error(), hintOf(err)}
	}
	return p, err
}

// asArguments is where most commands take flow files.
const asArguments = "on the command line"

func noTarget() error {
	return &wrongUse{"connect to target: none is configured", "use --target DSN, AUTOCDC_TARGET, or target: {dsn: …} in autocdc.yaml"}
}

// declaration is a pipeline without flows, for commands that need none.
func (s *settings) declaration(log io.Writer) (*autocdc.Pipeline, error) {
	cfg, err := s.load()
	if err != nil {
		return nil, err
	}
	if len(cfg.Sources) == 0 {
		return nil, &wrongUse{"connect to source: none is configured", "use --source NAME=DSN, AUTOCDC_SOURCE_<NAME>, or sources: in autocdc.yaml"}
	}
	return s.declare(cfg, log), nil
}

// load merges file, environment and flags; what is wrong with them is wrong use.
func (s *settings) load() (*config.Config, error) {
	cfg, err := config.Load(s.Config, os.LookupEnv)
	if err == nil {
		err = cfg.AddSources(os.Environ())
	}
	if err == nil {
		err = cfg.Override(s.Target, s.Source)
	}
	switch faults := autocdc.FaultsOf(err); {
	case faults != nil:
		return nil, fmt.Errorf("read configuration: %w", faults)
	case err != nil:
		return nil, &wrongUse{err.Error(), hintOf(err)}
	}
	return cfg, nil
}

func (s *settings) declare(cfg *config.Config, log io.Writer) *autocdc.Pipeline {
	p := &autocdc.Pipeline{
		Name: cfg.Pipeline, Target: string(cfg.Target), MetadataSchema: cfg.MetadataSchema, Log: s.logger(log),
		LateArrival: &cfg.LateArrivalWindow,
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Sources)) {
		p.Sources = append(p.Sources, autocdc.Source{Name: name, DSN: string(cfg.Sources[name])})
	}
	return p
}

func (s *settings) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // the flag takes valid names only
	opts := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
