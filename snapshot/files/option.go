package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot"
)

// Options say how files are read. The zero value goes by the files' extensions, and
// takes the first line of CSV for its header.
type Options struct {
	// Schema are the columns that the files have, with their types. A name in small
	// letters stands for a column of the file whatever its case there.
	Schema []snapshot.Column
	// FoldNames takes names without regard to case, and gives them in small letters.
	FoldNames bool
	// Metadata adds MetadataColumns behind those of the files.
	Metadata bool

	format      string // "" goes by the extension
	noHeader    bool
	csv         dialect
	encoding    string            // "" is UTF-8
	compression string            // "" goes by the extension and the first bytes
	learned     []snapshot.Column // of the first file, for those after it
	ofCSV       string            // an option that was given and is for CSV only
}

// option is one of those that there are.
type option struct {
	names   []string // the first is the one to advertise
	csvOnly bool
	set     func(o *Options, value string) error
}

func known() []option {
	return []option{
		{[]string{"format"}, false, (*Options).setFormat},
		{[]string{"schema"}, false, (*Options).setSchema},
		{[]string{"compression", "codec"}, false, (*Options).setCompression},
		{[]string{"encoding", "charset"}, false, (*Options).setEncoding},
		{[]string{"header"}, true, (*Options).setHeader},
		{[]string{"delimiter", "sep"}, true, func(o *Options, v string) error { return setByte(&o.csv.delimiter, v) }},
		{[]string{"quote"}, true, (*Options).setQuote},
		{[]string{"escape"}, true, func(o *Options, v string) error { return setByte(&o.csv.escape, v) }},
		{[]string{"nullValue", "null"}, true, func(o *Options, v string) error { o.csv.null = v; return nil }},
	}
}

// Parse reads the options of read_files; their names without regard to case. Faults
// have the place of the option or of its value.
func Parse(list []flowsql.Option) (Options, flowsql.ErrorList) {
	var o Options
	var faults flowsql.ErrorList
	seen := map[string]bool{}
	fail := func(pos flowsql.Pos, err error) {
		faults = append(faults, &flowsql.Error{Pos: pos, Msg: err.Error(), Hint: hintOf(err)})
	}
	for _, given := range list {
		name := given.Name.Name
		opt, err := lookUp(name)
		switch {
		case err != nil:
			fail(given.Name.Pos, err)
			continue
		case seen[opt.names[0]]:
			fail(given.Name.Pos, fmt.Errorf("option %q is given twice", opt.names[0]))
			continue
		}
		seen[opt.names[0]] = true
		if err := opt.set(&o, given.Value); err != nil {
			fail(given.At, hinted(hintOf(err), "option %q: value %q: %w", name, shorten(given.Value), err))
		}
		if opt.csvOnly {
			o.ofCSV = name
		}
	}
	if err := o.csv.check(); err != nil && len(faults) == 0 {
		fail(list[0].Name.Pos, err)
	}
	return o, faults
}

func hintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

func lookUp(name string) (option, error) {
	var all, first []string
	for _, opt := range known() {
		if slices.ContainsFunc(opt.names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return opt, nil
		}
		all, first = append(all, opt.names...), append(first, opt.names[0])
	}
	return option{}, hinted(didYouMean(name, all, "the options are "+strings.Join(first, ", ")), "there is no option %q", name)
}

func didYouMean(word string, candidates []string, note string) string {
	if near := flowsql.Nearest(word, candidates); near != "" {
		return "did you mean " + near + "? " + note
	}
	return note
}

func (o *Options) setFormat(v string) error {
	formats := []string{"csv", "json", "parquet"}
	o.format = strings.ToLower(v)
	if slices.Contains(formats, o.format) {
		return nil
	}
	return hinted(didYouMean(v, formats, "the formats are "+strings.Join(formats, ", ")), "there is no such format")
}

func (o *Options) setHeader(v string) error {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		o.noHeader = false
	case "false", "no", "off", "0":
		o.noHeader = true
	default:
		return hinted("true: the first line of each file names the columns", "it is true or false")
	}
	return nil
}

func (o *Options) setQuote(v string) error {
	if v == "" {
		o.csv.noQuote = true
		return nil
	}
	return setByte(&o.csv.quote, v)
}

// setByte takes one ASCII character, also in the forms that Spark knows.
func setByte(to *byte, v string) error {
	switch strings.ToLower(v) {
	case `\t`, "tab":
		v = "\t"
	case `\\`:
		v = `\`
	}
	if len(v) != 1 || v[0] >= 0x80 || v[0] == 0 || v[0] == '\n' || v[0] == '\r' {
		return hinted(`for the tab write '\t'`, "it must be one ASCII character")
	}
	*to = v[0]
	return nil
}

func (o *Options) setSchema(v string) error {
	var err error
	o.Schema, err = parseSchema(v)
	return err
}
