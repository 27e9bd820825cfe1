package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/autocdc/autocdc/snapshot"
)

// File is a file as it was when it was listed. Path is what the location began with
// and Name its last part. Files are made by List only: one of object storage
// remembers the options of its URL.
type File struct {
	Path    string
	Name    string
	Size    int64
	ModTime time.Time

	bucket string // URL with options; "" for a local file
	key    string // path in the bucket, or the local path
}

// MetadataColumns are the columns that Options.Metadata adds.
var MetadataColumns = []snapshot.Column{
	{Name: "__file_path", Type: "text"},
	{Name: "__file_name", Type: "text"},
	{Name: "__file_size", Type: "bigint"},
	{Name: "__file_modification_time", Type: "timestamp with time zone"},
}

// metadata are the values of MetadataColumns.
func (f File) metadata() [][]byte {
	return [][]byte{
		[]byte(f.Path),
		[]byte(f.Name),
		strconv.AppendInt(nil, f.Size, 10),
		f.ModTime.UTC().Truncate(time.Microsecond).AppendFormat(nil, "2006-01-02 15:04:05.999999+00"),
	}
}

// List finds the files at a location: all of a directory, those that match a
// pattern (*, ? and […] within a part of the path), or one. A location is a local
// path, or a URL of the scheme file, s3, gs or azblob. The order is that of the
// paths, byte by byte. Subdirectories are not entered; names that begin with . or _
// are left out unless the location names them. A directory may be empty; that
// nothing is there, or that nothing matches a pattern, is an error.
func List(ctx context.Context, where string) ([]File, error) {
	l, err := parseLocation(where)
	if err != nil {
		return nil, err
	}
	s, err := openStore(ctx, l.bucket)
	if err != nil {
		return nil, wrapHint(fmt.Sprintf("list %s", l), err)
	}
	defer s.Close()
	found, err := (&finder{lister: s, location: l}).find(ctx)
	if err != nil {
		return nil, wrapHint(fmt.Sprintf("list %s", l), err)
	}
	slices.SortFunc(found, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// wrapHint puts what was done before a fault, whose hint stays in reach.
func wrapHint(what string, err error) error {
	return fmt.Errorf("%s: %w", what, bare(err))
}

// lister is what finding files needs of a file system. What is not there is
// fs.ErrNotExist.
type lister interface {
	stat(ctx context.Context, p string) (entry, error)
	list(ctx context.Context, dir string) ([]entry, error)
}

// entry is a file or a directory.
type entry struct {
	name    string
	dir     bool
	size    int64
	modTime time.Time
}

type finder struct {
	lister
	location
	found []File
}

func (f *finder) find(ctx context.Context) ([]File, error) {
	e, err := f.stat(ctx, f.path)
	switch {
	case err == nil && e.dir:
		err = f.match(ctx, f.path, []string{"*"})
	case err == nil:
		f.add(f.path, e)
	case errors.Is(err, fs.ErrNotExist) && hasWildcard(f.path):
		return f.pattern(ctx)
	case errors.Is(err, fs.ErrNotExist):
		err = hinted(f.absent(), "%w", fs.ErrNotExist)
	}
	return f.found, err
}

// absent is what helps when nothing is there.
func (f *finder) absent() string {
	if f.bucket != "" {
		return "no object has this name, and none begins with it and a slash"
	}
	return "a relative path begins where autocdc was started"
}

func (f *finder) pattern(ctx context.Context) ([]File, error) {
	dir, rest := ".", f.path
	if f.bucket != "" {
		dir = ""
	} else if strings.HasPrefix(rest, "/") {
		dir, rest = "/", rest[1:]
	}
	if _, err := path.Match(rest, ""); err != nil {
		return nil, hinted("[ wants a ]; \\[ is the character itself", "the pattern is malformed")
	}
	if err := f.match(ctx, dir, strings.Split(rest, "/")); err != nil {
		return nil, err
	}
	if len(f.found) == 0 {
		return nil, hinted("names that begin with . or _ are only found by patterns that begin so", "no file matches the pattern")
	}
	return f.found, nil
}

// match adds the files below dir whose path matches the parts of a pattern.
func (f *finder) match(ctx context.Context, dir string, parts []string) error {
	entries, err := f.candidates(ctx, dir, parts[0])
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		p := path.Join(dir, e.name)
		switch last := len(parts) == 1; {
		case last && !e.dir:
			f.add(p, e)
		case !last && e.dir:
			if err := f.match(ctx, p, parts[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidates are the entries of dir that match one part of a pattern.
func (f *finder) candidates(ctx context.Context, dir, part string) ([]entry, error) {
	if !hasWildcard(part) {
		e, err := f.stat(ctx, path.Join(dir, part))
		e.name = part
		return []entry{e}, err
	}
	all, err := f.list(ctx, dir)
	return slices.DeleteFunc(all, func(e entry) bool {
		ok, _ := path.Match(part, e.name) // a bad pattern was found before
		return !ok || isHidden(e.name) && !isHidden(part)
	}), err
}

func (f *finder) add(p string, e entry) {
	f.found = append(f.found, File{
		Path: f.root + p, Name: path.Base(p), Size: e.size, ModTime: e.modTime, bucket: f.bucket, key: p,
	})
}
