package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// local is the file system of this machine.
type local struct{}

func (local) Close() error { return nil }

func (local) stat(_ context.Context, p string) (entry, error) {
	info, err := os.Stat(p)
	if err != nil {
		return entry{}, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return entry{}, fmt.Errorf("neither a file nor a directory but %s", info.Mode().Type())
	}
	return entryOf(info), nil
}

// list leaves out what is neither file nor directory, and links that lead nowhere.
func (local) list(_ context.Context, dir string) ([]entry, error) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, n := range names {
		info, err := os.Stat(path.Join(dir, n.Name())) // follows links
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", n.Name(), bare(err))
		case info.IsDir() || info.Mode().IsRegular():
			e := entryOf(info)
			e.name = n.Name()
			all = append(all, e)
		}
	}
	return all, nil
}

func entryOf(info fs.FileInfo) entry {
	return entry{name: info.Name(), dir: info.IsDir(), size: info.Size(), modTime: info.ModTime()}
}

func (local) open(_ context.Context, f File) (io.ReadCloser, error) {
	file, err := openLocal(f)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (local) openAt(_ context.Context, f File) (readerAt, error) {
	file, err := openLocal(f)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// localFile is a file that must not change while it is read.
type localFile struct {
	*os.File
	listed File
}

func openLocal(f File) (*localFile, error) {
	file, err := os.Open(f.key)
	if err != nil {
		return nil, gone(err)
	}
	l := &localFile{file, f}
	if err := l.unchanged(); err != nil {
		_ = file.Close() // only read from
		return nil, err
	}
	return l, nil
}

// Read checks at the end that the file is still the one that was listed.
func (l *localFile) Read(p []byte) (int, error) {
	n, err := l.File.Read(p)
	if errors.Is(err, io.EOF) {
		if changed := l.unchanged(); changed != nil {
			return n, changed
		}
	}
	return n, err
}

// ReadAt explains an end that comes too early.
func (l *localFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := l.File.ReadAt(p, off)
	if err != nil {
		if changed := l.unchanged(); changed != nil {
			return n, changed
		}
	}
	return n, err
}

func (l *localFile) unchanged() error {
	info, err := l.Stat()
	if err != nil {
		return err
	}
	if info.Size() != l.listed.Size || !info.ModTime().Equal(l.listed.ModTime) {
		return changed(l.listed.Size, info.Size())
	}
	return nil
}
