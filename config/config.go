package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/autocdc/autocdc/config/flowsql"
)

// DefaultPath is the file that Load takes if none is named and it is there.
const DefaultPath = "autocdc.yaml"

// sizeMax keeps a wrong file from the YAML parser, whose time is quadratic in the
// depth of what it reads.
const sizeMax = 64 << 10

// Config is a pipeline's configuration after defaults, file and environment;
// Override adds the flags.
type Config struct {
	Path              string   // the file it came from; empty if there was none
	Pipeline          string   // default "autocdc"
	Flows             []string // paths of the flow files, patterns expanded
	Sources           map[string]DSN
	Target            DSN
	LateArrivalWindow Window // default 48h
	MetadataSchema    string // default "autocdc"
}

// Load reads the file at path, or DefaultPath if path is empty and that file
// exists, and applies the environment, which env looks up as os.LookupEnv does.
// Faults of the file are a flowsql.ErrorList; no target and no source is none,
// since flags may name them.
func Load(path string, env func(string) (string, bool)) (*Config, error) {
	c := defaults()
	src, path, err := read(path)
	if err != nil {
		return nil, err
	}
	if c.Path = path; path != "" {
		if err := c.parse(src, env); err != nil {
			return nil, err
		}
	}
	c.environment(env)
	return c, nil
}

func defaults() *Config {
	return &Config{
		Pipeline:          "autocdc",
		MetadataSchema:    "autocdc",
		LateArrivalWindow: Window{Duration: defaultWindow},
		Sources:           map[string]DSN{},
	}
}

func read(path string) (src []byte, from string, err error) {
	from = path
	if from == "" {
		from = DefaultPath
	}
	src, err = os.ReadFile(from)
	switch {
	case path == "" && errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", fmt.Errorf("read configuration: %w", err)
	case len(src) > sizeMax:
		return nil, "", fmt.Errorf("read configuration %s: larger than %d bytes", from, sizeMax)
	}
	return src, from, nil
}

// environment applies AUTOCDC_TARGET and AUTOCDC_SOURCE_<NAME> for the sources
// that the file names. An empty variable counts as unset.
func (c *Config) environment(env func(string) (string, bool)) {
	if dsn, _ := env("AUTOCDC_TARGET"); dsn != "" {
		c.Target = DSN(dsn)
	}
	for name := range c.Sources {
		if dsn, _ := env(sourceVariable(name)); dsn != "" {
			c.Sources[name] = DSN(dsn)
		}
	}
}

// asError returns the faults in order, nil for none.
func asError(l flowsql.ErrorList) error {
	if len(l) == 0 {
		return nil
	}
	l.Sort()
	return l
}
