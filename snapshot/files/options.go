package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot"
)

// Options say how files are read. The zero value reads by the files' names: CSV
// with a header line.
type Options struct {
	Format      string // csv, json or parquet; empty: by the name
	Compression string // none, gzip or zstd; empty: by the name
	NoHeader    bool   // CSV: the columns are c1, c2, …, or those of Schema
	Delimiter   byte   // CSV; 0: a comma
	Quote       byte   // CSV; 0: "
	Escape      byte   // CSV, within quotes; 0: the quote itself
	Null        *string
	Encoding    encoding.Encoding // nil: UTF-8
	Schema      []snapshot.Column // nil: found in the files
	FoldNames   bool              // names of columns in small letters
	Metadata    bool              // four columns more, named MetadataColumns, say where a row was
}

// MetadataColumns are the columns that Options.Metadata adds.
var MetadataColumns = []snapshot.Column{
	{Name: "__file_path", Type: "text"}, {Name: "__file_name", Type: "text"},
	{Name: "__file_size", Type: "bigint"}, {Name: "__file_modification_time", Type: "timestamp with time zone"},
}

// setters by option; several names are those of other tools.
var setters = map[string]func(*Options, string) error{
	"format":      func(o *Options, v string) error { return oneOf(&o.Format, v, "csv", "json", "parquet") },
	"compression": func(o *Options, v string) error { return oneOf(&o.Compression, v, "none", "gzip", "zstd") },
	"header":      func(o *Options, v string) error { return not(&o.NoHeader, v) },
	"delimiter":   func(o *Options, v string) error { return char(&o.Delimiter, v) },
	"sep":         func(o *Options, v string) error { return char(&o.Delimiter, v) },
	"quote":       func(o *Options, v string) error { return char(&o.Quote, v) },
	"escape":      func(o *Options, v string) error { return char(&o.Escape, v) },
	"null":        func(o *Options, v string) error { o.Null = &v; return nil },
	"nullvalue":   func(o *Options, v string) error { o.Null = &v; return nil },
	"encoding":    charset,
	"charset":     charset,
	"schema":      schemaOf,
}

// Parse reads options; faults have the place of the option or its value.
func Parse(list []flowsql.Option) (Options, flowsql.ErrorList) {
	var o Options
	var errs flowsql.ErrorList
	for _, opt := range list {
		set := setters[opt.Name.Name]
		if set == nil {
			errs = append(errs, &flowsql.Error{Pos: opt.Name.Pos, Msg: fmt.Sprintf("unknown option %q", opt.Name.Name), Hint: known(opt.Name.Name)})
			continue
		}
		if err := set(&o, opt.Value); err != nil {
			errs = append(errs, &flowsql.Error{Pos: opt.At, Msg: fmt.Sprintf("option %s: %v", opt.Name.Name, err)})
		}
	}
	return o, errs
}

func known(name string) string {
	var names []string
	for n := range setters {
		names = append(names, n)
	}
	slices.Sort(names)
	if near := flowsql.Nearest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "options are " + strings.Join(names, ", ")
}

func oneOf(to *string, value string, words ...string) error {
	*to = strings.ToLower(value)
	if !slices.Contains(words, *to) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(words, ", "))
	}
	return nil
}

func not(to *bool, value string) error {
	switch strings.ToLower(value) {
	case "true", "on":
		*to = false
	case "false", "off":
		*to = true
	default:
		return fmt.Errorf("%q is neither true nor false", value)
	}
	return nil
}

func char(to *byte, value string) error {
	if value == `\t` {
		value = "\t"
	}
	if len(value) != 1 || value[0] >= utf8.RuneSelf || strings.ContainsAny(value, "\r\n\x00") {
		return fmt.Errorf("%q is not one ASCII character", value)
	}
	*to = value[0]
	return nil
}

func charset(o *Options, value string) error {
	e, err := htmlindex.Get(value)
	if err != nil {
		return fmt.Errorf("%q is no encoding known here, as latin1, windows-1252 or utf-16le are", value)
	}
	if name, _ := htmlindex.Name(e); name != "utf-8" {
		o.Encoding = e
	}
	return nil
}

// schemaOf reads columns as CREATE TABLE would: id bigint, name text.
func schemaOf(o *Options, value string) error {
	file, err := flowsql.Parse("schema", []byte("CREATE STREAMING TABLE t ("+value+");"))
	if list, ok := errors.AsType[flowsql.ErrorList](err); ok {
		return fmt.Errorf("%s; write it as 'id bigint, name text'", list[0].Msg)
	}
	for _, c := range file.Statements[0].(*flowsql.CreateTable).Columns {
		o.Schema = append(o.Schema, snapshot.Column{Name: c.Name.Name, Type: c.Type.SQL})
	}
	if len(o.Schema) == 0 {
		return errors.New("it names no column")
	}
	return nil
}
