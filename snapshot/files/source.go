package files

import (
	"context"
	"fmt"
	"io"

	"github.com/autocdc/autocdc/config/flowsql"
)

// openSource opens a file in its format. A source that is given with an error knows
// where that is.
func openSource(ctx context.Context, s opener, f File, opts Options) (source, error) {
	format, err := formatOf(f, opts)
	if err != nil {
		return nil, err
	}
	if opts.ofCSV != "" && format != "csv" {
		return nil, hinted("leave it out, or say format => 'csv'", "the option %q is for CSV, the file is %s", opts.ofCSV, format)
	}
	if format == "parquet" {
		return openParquet(ctx, s, f, opts)
	}
	in, err := openText(ctx, s, f, opts)
	if err != nil {
		return nil, err
	}
	var src source
	if format == "csv" {
		src, err = openCSV(in, f, opts)
	} else {
		src, err = openJSON(in, opts)
	}
	if src == nil {
		_ = in.Close() // the error before is the one to tell
	}
	return src, err
}

// openText opens a file and undoes its compression.
func openText(ctx context.Context, s opener, f File, opts Options) (io.ReadCloser, error) {
	raw, err := s.open(ctx, f)
	if err != nil {
		return nil, err
	}
	in, err := decompressed(raw, f.Name, opts.compression)
	if err != nil {
		_ = in.Close() // the error before is the one to tell
		return nil, err
	}
	return in, nil
}

// formatOf goes by the option, then by the extension.
func formatOf(f File, opts Options) (string, error) {
	if opts.format != "" {
		return opts.format, nil
	}
	extension, packed := splitExtension(f.Name)
	switch extension {
	case "csv", "tsv", "tab", "txt":
		return "csv", nil
	case "json", "jsonl", "ndjson":
		return "json", nil
	case "parquet":
		if packed == "" {
			return "parquet", nil
		}
		return "", fmt.Errorf("a Parquet file is compressed inside, not by %s", packed)
	}
	note := "say it: format => 'csv', or 'json', or 'parquet'"
	if near := flowsql.Nearest(extension, []string{"csv", "json", "parquet"}); near != "" {
		note = fmt.Sprintf("say it: format => '%s'", near)
	}
	return "", hinted(note, "the extension does not tell its format")
}
