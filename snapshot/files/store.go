package files

import (
	"context"
	"io"
)

// store is a file system: the local one, or a bucket.
type store interface {
	lister
	opener
	io.Closer
}

// opener opens files for reading. A file that is not what was listed any more is an
// error, of opening or of reading.
type opener interface {
	// open reads a file from its begin. The end of ctx ends reading.
	open(ctx context.Context, f File) (io.ReadCloser, error)
	// openAt reads anywhere in a file.
	openAt(ctx context.Context, f File) (readerAt, error)
}

type readerAt interface {
	io.ReaderAt
	io.Closer
}

// openStore opens the bucket of a URL, or the local file system if there is none.
func openStore(ctx context.Context, bucketURL string) (store, error) {
	if bucketURL == "" {
		return local{}, nil
	}
	return openBucket(ctx, bucketURL)
}
