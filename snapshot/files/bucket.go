package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
	"gocloud.dev/gcerrors"
)

// bucket is an object store. What looks like a directory there is the beginning of
// names, up to a slash.
type bucket struct{ *blob.Bucket }

func openBucket(ctx context.Context, url string) (store, error) {
	b, err := blob.OpenBucket(ctx, url)
	if err != nil { // its text has the URL, with options
		cause := explain(err)
		text := strings.ReplaceAll(cause.Error(), "open bucket "+url+": ", "")
		return nil, hinted(hintOf(cause), "open bucket: %w", &storeError{text, err})
	}
	return bucket{b}, nil
}

// Close gives up the connections.
func (b bucket) Close() error { return b.Bucket.Close() }

func (b bucket) stat(ctx context.Context, key string) (entry, error) {
	if key == "" {
		return entry{dir: true}, nil
	}
	a, err := b.Attributes(ctx, key)
	if err == nil {
		return entry{name: path.Base(key), size: a.Size, modTime: a.ModTime}, nil
	}
	if code := gcerrors.Code(err); code != gcerrors.NotFound && code != gcerrors.PermissionDenied {
		return entry{}, explain(err)
	}
	refused := err // an answer to HEAD cannot say why; that to a list can
	first, err := b.List(&blob.ListOptions{Prefix: key + "/", Delimiter: "/"}).Next(ctx)
	switch {
	case errors.Is(err, io.EOF):
		if gcerrors.Code(refused) == gcerrors.PermissionDenied {
			return entry{}, explain(refused)
		}
		return entry{}, fs.ErrNotExist
	case err != nil:
		return entry{}, explain(err)
	}
	return entry{name: path.Base(key), dir: first != nil}, nil
}

func (b bucket) list(ctx context.Context, dir string) ([]entry, error) {
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	var all []entry
	objects := b.List(&blob.ListOptions{Prefix: prefix, Delimiter: "/"})
	for {
		o, err := objects.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, explain(err)
		}
		if name := strings.Trim(strings.TrimPrefix(o.Key, prefix), "/"); name != "" { // "" marks the directory itself
			all = append(all, entry{name: name, dir: o.IsDir || strings.HasSuffix(o.Key, "/"), size: o.Size, modTime: o.ModTime})
		}
	}
}

func (b bucket) open(ctx context.Context, f File) (io.ReadCloser, error) {
	r, err := b.NewReader(ctx, f.key, nil)
	if err != nil {
		return nil, explainGone(err)
	}
	if r.Size() != f.Size {
		_ = r.Close() // nothing was read
		return nil, changed(f.Size, r.Size())
	}
	return &whole{ReadCloser: objectReader{r}, size: f.Size}, nil
}

// objectReader explains what breaks while an object is read.
type objectReader struct{ *blob.Reader }

func (r objectReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = explain(err)
	}
	return n, err
}

func (b bucket) openAt(ctx context.Context, f File) (readerAt, error) {
	return objectAt(func(p []byte, off int64) (int, error) { return b.readAt(ctx, f, p, off) }), nil
}

// objectAt reads ranges of an object.
type objectAt func(p []byte, off int64) (int, error)

func (o objectAt) ReadAt(p []byte, off int64) (int, error) { return o(p, off) }

func (objectAt) Close() error { return nil }

func (b bucket) readAt(ctx context.Context, f File, p []byte, off int64) (int, error) {
	want := min(int64(len(p)), f.Size-off)
	if want <= 0 {
		return 0, io.EOF
	}
	r, err := b.NewRangeReader(ctx, f.key, off, want, nil)
	if err != nil {
		return 0, explainGone(err)
	}
	defer r.Close()
	if r.Size() != f.Size {
		return 0, changed(f.Size, r.Size())
	}
	n, err := io.ReadFull(objectReader{r}, p[:want])
	if err == nil && want < int64(len(p)) {
		err = io.EOF
	}
	return n, err
}

func explainGone(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return gone(fs.ErrNotExist)
	}
	return explain(err)
}

// codeNote is a hint by the code of an error.
func codeNote(code string) string {
	switch code {
	case "NoSuchBucket":
		return "check the bucket's name, and the region or endpoint in the URL's options"
	case "InvalidAccessKeyId", "SignatureDoesNotMatch":
		return "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile in the URL's options"
	case "AccessDenied", "Forbidden":
		return "these credentials may not read there: they need the right to list the bucket and to get its objects"
	case "PermanentRedirect", "AuthorizationHeaderMalformed":
		return "the bucket is in another region: add ?region=… to the URL"
	}
	return ""
}

// explain makes one line of what the libraries of the stores say.
func explain(err error) error {
	var api interface {
		ErrorCode() string
		ErrorMessage() string
	}
	if errors.As(err, &api) && api.ErrorCode() != "" {
		text := strings.Trim(api.ErrorCode()+": "+api.ErrorMessage(), ": ")
		return &HintError{Err: &storeError{text, err}, Note: codeNote(api.ErrorCode())}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return hinted("the next run reads it anew", "the connection was cut: %w", io.ErrUnexpectedEOF)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	note := ""
	switch gcerrors.Code(err) {
	case gcerrors.NotFound:
		note = "check the name of the bucket or container"
	case gcerrors.PermissionDenied:
		note = codeNote("AccessDenied")
	}
	if strings.Contains(text, "credentials") || strings.Contains(text, "AZURE_STORAGE") {
		note = "credentials are found as the store's own tools find them: docs/snapshot-files.md"
	}
	return &HintError{Err: &storeError{text, err}, Note: note}
}

// storeError says in short what err says at length.
type storeError struct {
	text string
	err  error
}

func (e *storeError) Error() string { return e.text }

// Unwrap returns the whole error.
func (e *storeError) Unwrap() error { return e.err }
