package files

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// location is where files are looked for: a path, which may have wildcards, in the
// local file system or in a bucket.
type location struct {
	root   string // what the paths of files begin with: "s3://bucket/"; "" for local ones
	bucket string // URL of the bucket, with its options
	path   string
}

// String is the location without options, since these may hold secrets.
func (l location) String() string { return l.root + l.path }

var (
	schemed = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*)://`)
	// options tells ?region=eu of a URL from a wildcard.
	options = regexp.MustCompile(`\?[A-Za-z_]+=[^/]*(/[^?]*)?$`)
)

func schemes() []string { return []string{"azblob", "file", "gs", "s3"} }

func parseLocation(s string) (location, error) {
	if strings.HasPrefix(s, "file:/") {
		return fileURL(s)
	}
	if strings.TrimSpace(s) == "" {
		return location{}, hinted("name a directory, a file, a pattern or a URL", "list files: the location is empty")
	}
	m := schemed.FindStringSubmatch(s)
	if m == nil {
		return location{path: path.Clean(s)}, nil
	}
	scheme := strings.ToLower(m[1])
	switch scheme {
	case "s3", "gs", "azblob":
		return bucketURL(scheme, s[len(m[0]):])
	}
	note := didYouMean(scheme, schemes(), "use a path, or a URL that begins with one of "+strings.Join(schemes(), ", "))
	return location{}, hinted(note, "list %s: files cannot be read from %s://", withoutOptions(s), scheme)
}

// fileURL takes file:///path, and file:/path as Hadoop writes it.
func fileURL(s string) (location, error) {
	p := strings.TrimPrefix(s, "file:")
	if rest, ok := strings.CutPrefix(p, "//"); ok {
		host, _, _ := strings.Cut(rest, "/")
		if host != "" && host != "localhost" {
			return location{}, hinted("a path on this machine has three slashes: file:///"+rest, "list %s: the files of host %q are out of reach", s, host)
		}
		p = rest[len(host):]
	}
	p, err := url.PathUnescape(p)
	if err != nil {
		return location{}, fmt.Errorf("list %s: %w", s, err)
	}
	return location{path: path.Clean(p)}, nil
}

// bucketURL takes what follows the scheme: bucket/key?options. The key is taken as
// it is, as the tools of the stores do.
func bucketURL(scheme, rest string) (location, error) {
	query := ""
	if at := options.FindStringIndex(rest); at != nil {
		rest, query = rest[:at[0]], rest[at[0]:]
	}
	bucket, key, _ := strings.Cut(rest, "/")
	if bucket == "" {
		return location{}, hinted("write "+scheme+"://bucket/path", "list %s://%s: no bucket is named", scheme, rest)
	}
	l := location{root: scheme + "://" + bucket + "/", bucket: scheme + "://" + bucket + query}
	l.path = strings.Trim(key, "/")
	return l, nil
}

func withoutOptions(s string) string {
	s, _, _ = strings.Cut(s, "?")
	return s
}

// hasWildcard says whether a path is a pattern.
func hasWildcard(p string) bool { return strings.ContainsAny(p, `*?[`) }

// isHidden tells the files that writers leave beside their output: .crc, _SUCCESS.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }
