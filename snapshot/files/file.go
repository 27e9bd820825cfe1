package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// File is a file as it was found.
type File struct {
	Path    string // as the user would write it
	Name    string
	Size    int64 // bytes
	ModTime time.Time

	store store // where it is
	key   string
}

// store is a place with files.
type store interface {
	// open reads a file from its beginning.
	open(ctx context.Context, key string) (io.ReadCloser, error)
	// at reads parts of it.
	at(ctx context.Context, f File) (readerAt, error)
}

// readerAt is for formats that are not read in order.
type readerAt interface {
	io.ReaderAt
	io.Closer
}

// HintError is an error with advice for the user.
type HintError struct {
	Err  error
	Note string
}

func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap returns the error without its hint.
func (e *HintError) Unwrap() error { return e.Err }

// Hint says what helps.
func (e *HintError) Hint() string { return e.Note }

// List finds the files of a location: a directory, a glob (*, ?, […] in the last
// part) or one file; a path or a URL (file://, s3://, gs://, azblob://). Files whose
// names begin with . or _ count only if they are named. They come in the order of
// their paths; an empty directory has none, while a file or glob that finds nothing
// is an error.
func List(ctx context.Context, location string) ([]File, error) {
	var found []File
	var err error
	switch scheme, rest, isURL := strings.Cut(location, "://"); {
	case location == "":
		err = errors.New("the location is empty")
	case isURL && scheme == "file":
		found, err = listLocal(rest)
	case isURL:
		found, err = listObjects(ctx, location)
	default:
		found, err = listLocal(location)
	}
	if err != nil {
		return nil, fmt.Errorf("list files of %q: %w", location, err)
	}
	slices.SortFunc(found, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// local is the disk.
type local struct{}

func (local) open(_ context.Context, key string) (io.ReadCloser, error) { return os.Open(key) }

func (local) at(_ context.Context, f File) (readerAt, error) { return os.Open(f.key) }

func listLocal(location string) ([]File, error) {
	info, err := os.Stat(location)
	switch {
	case err == nil && info.IsDir():
		return directory(location)
	case err == nil:
		return []File{localFile(location, info)}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, bare(err)
	case !isGlob(location):
		return nil, &HintError{errors.New("no such file or directory"), "relative paths start where autocdc was started; " + whatIsThere(location)}
	}
	return glob(location)
}

// bare leaves out the path, which is named already.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && error(e) == err {
		return e.Err
	}
	return err
}

func whatIsThere(location string) string {
	dir := filepath.Dir(location)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Sprintf("there is no directory %q either", dir)
	}
	return fmt.Sprintf("the directory %q has %d entries", dir, len(entries))
}

func directory(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, bare(err)
	}
	var found []File
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone meanwhile
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			found = append(found, localFile(filepath.Join(dir, e.Name()), info))
		}
	}
	return found, nil
}

func glob(pattern string) ([]File, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var found []File
	for _, p := range paths {
		info, err := os.Stat(p)
		if err == nil && info.Mode().IsRegular() && !hidden(filepath.Base(p)) {
			found = append(found, localFile(p, info))
		}
	}
	if len(found) == 0 {
		return nil, &HintError{errors.New("no file matches"), whatIsThere(pattern)}
	}
	return found, nil
}

func localFile(p string, info fs.FileInfo) File {
	return File{Path: p, Name: filepath.Base(p), Size: info.Size(), ModTime: info.ModTime().UTC(), store: local{}, key: p}
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

func isGlob(s string) bool { return strings.ContainsAny(path.Base(s), "*?[") }
