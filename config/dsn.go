package config

import (
	"fmt"
	"log/slog"
)

// DSN is a connection string. Printing or logging it hides the password; convert
// it to a string to connect.
type DSN string

// String returns the DSN without its password.
func (d DSN) String() string { return Redact(string(d)) }

// GoString is for %#v.
func (d DSN) GoString() string { return fmt.Sprintf("%q", d.String()) }

// LogValue implements slog.LogValuer.
func (d DSN) LogValue() slog.Value { return slog.StringValue(d.String()) }

// MarshalText keeps the password out of JSON and YAML.
func (d DSN) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
