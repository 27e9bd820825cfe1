package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
	"gocloud.dev/gcerrors"
)

// bucket is an object store; opened anew for each use, so that nothing has to be
// closed but what is read.
type bucket struct{ url string }

func (b bucket) open(ctx context.Context, key string) (io.ReadCloser, error) {
	opened, err := blob.OpenBucket(ctx, b.url)
	if err != nil {
		return nil, err
	}
	r, err := opened.NewReader(ctx, key, nil)
	if err != nil {
		return nil, errors.Join(explain(err), opened.Close())
	}
	return &object{r, opened}, nil
}

// object closes its bucket with it.
type object struct {
	io.ReadCloser
	bucket *blob.Bucket
}

func (o *object) Close() error { return errors.Join(o.ReadCloser.Close(), o.bucket.Close()) }

func (b bucket) at(ctx context.Context, f File) (readerAt, error) {
	opened, err := blob.OpenBucket(ctx, b.url)
	if err != nil {
		return nil, err
	}
	return &ranges{ctx, opened, f.key}, nil
}

// ranges reads parts of an object, a request each. ctx is that of the reading.
type ranges struct {
	ctx    context.Context //nolint:containedctx // io.ReaderAt has none
	bucket *blob.Bucket
	key    string
}

func (r *ranges) ReadAt(p []byte, off int64) (int, error) {
	part, err := r.bucket.NewRangeReader(r.ctx, r.key, off, int64(len(p)), nil)
	if err != nil {
		return 0, explain(err)
	}
	defer part.Close()
	n, err := io.ReadFull(part, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

func (r *ranges) Close() error { return r.bucket.Close() }

// listObjects lists what a URL like s3://bucket/dir/?region=eu-central-1 names.
func listObjects(ctx context.Context, location string) ([]File, error) {
	u, err := url.Parse(location)
	if err != nil {
		return nil, errors.New("it is no URL")
	}
	if !blob.DefaultURLMux().ValidBucketScheme(u.Scheme) {
		return nil, &HintError{fmt.Errorf("%s:// is not known", u.Scheme), "files are read from a path, file://, s3://, gs:// or azblob://"}
	}
	key := strings.TrimPrefix(u.Path, "/")
	shown := url.URL{Scheme: u.Scheme, Host: u.Host}
	u.Path = ""
	b := bucket{u.String()}
	opened, err := blob.OpenBucket(ctx, b.url)
	if err != nil {
		return nil, explain(err)
	}
	defer opened.Close()
	l := lister{b, opened, shown.String()}
	return l.list(ctx, key)
}

// lister lists objects of a bucket.
type lister struct {
	bucket bucket
	opened *blob.Bucket
	shown  string
}

func (l lister) list(ctx context.Context, key string) ([]File, error) {
	switch {
	case isGlob(key):
		found, err := l.under(ctx, key[:strings.LastIndex(key, "/")+1], path.Base(key))
		if err == nil && len(found) == 0 {
			err = errors.New("no file matches")
		}
		return found, err
	case key == "" || strings.HasSuffix(key, "/"):
		return l.under(ctx, key, "*")
	}
	attributes, err := l.opened.Attributes(ctx, key)
	if err == nil {
		return []File{l.file(key, &blob.ListObject{Size: attributes.Size, ModTime: attributes.ModTime})}, nil
	}
	if gcerrors.Code(err) != gcerrors.NotFound {
		return nil, explain(err)
	}
	found, err := l.under(ctx, key+"/", "*")
	if err == nil && len(found) == 0 {
		err = errors.New("no such object, and none under that name with a / behind it")
	}
	return found, err
}

func (l lister) under(ctx context.Context, prefix, pattern string) ([]File, error) {
	var found []File
	objects := l.opened.List(&blob.ListOptions{Prefix: prefix, Delimiter: "/"})
	for {
		o, err := objects.Next(ctx)
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, explain(err)
		}
		name := path.Base(o.Key)
		if matches, err := path.Match(pattern, name); err != nil {
			return nil, err
		} else if matches && !o.IsDir && !hidden(name) && !strings.HasSuffix(o.Key, "/") {
			found = append(found, l.file(o.Key, o))
		}
	}
}

func (l lister) file(key string, o *blob.ListObject) File {
	return File{Path: l.shown + "/" + key, Name: path.Base(key), Size: o.Size, ModTime: o.ModTime.UTC(), store: l.bucket, key: key}
}

// explain adds a hint where the cause is known.
func explain(err error) error {
	switch code := gcerrors.Code(err); code {
	case gcerrors.NotFound:
		return &HintError{err, "check bucket and key"}
	case gcerrors.PermissionDenied:
		return &HintError{err, "check the credentials (the usual variables and files of the cloud's own tools) and what they may read"}
	default:
		return err
	}
}
