package catalog

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// TypeMap tells how columns of a source are declared on a target. It remembers
// what it has looked up; for what it does not know it connects to the source and
// then the target, briefly. Safe for concurrent use.
type TypeMap struct {
	source, target string // DSNs

	mu    sync.Mutex
	types map[Type]*sourceType
	kinds map[string]targetType // by qualified name, as format_type gives it
}

// Type is a type of the source with its modifier, -1 for none.
type Type struct {
	OID uint32
	Mod int32
}

// NewTypeMap connects to nothing yet.
func NewTypeMap(source, target string) *TypeMap {
	return &TypeMap{source: source, target: target, types: map[Type]*sourceType{}, kinds: map[string]targetType{}}
}

// Load looks up many types in a handful of queries. Calling it is never
// necessary; Map does so for each type that is unknown.
func (m *TypeMap) Load(ctx context.Context, types []Type) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load(ctx, types)
}

// Map gives the type of the target's column as SQL text, and a note for people
// if it is not the source's: domains become their base type; enums, types whose
// values mean something at the source alone (regclass, aclitem, …) and types
// that the target lacks become text; arrays likewise.
func (m *TypeMap) Map(ctx context.Context, oid uint32, mod int32) (typ, note string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	want := Type{OID: oid, Mod: mod}
	if err := m.load(ctx, []Type{want}); err != nil {
		return "", "", err
	}
	t := m.types[want]
	if t == nil {
		return "", "", fmt.Errorf("map type: the source has none of OID %d", oid)
	}
	typ, note, err = m.resolve(t)
	if err != nil {
		return "", "", fmt.Errorf("map type %s: %w", t.name, err)
	}
	return typ, note, nil
}

// TypeName is Map without the note; it makes TypeMap a merge.TypeNamer.
func (m *TypeMap) TypeName(ctx context.Context, oid uint32, mod int32) (string, error) {
	typ, _, err := m.Map(ctx, oid, mod)
	return typ, err
}

func (m *TypeMap) load(ctx context.Context, types []Type) error {
	var unknown []Type
	for _, t := range types {
		if m.types[t] == nil {
			unknown = append(unknown, t)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	found, err := loadSource(ctx, m.source, unknown)
	if err != nil {
		return fmt.Errorf("read types of the source: %w", err)
	}
	kinds, err := loadTarget(ctx, m.target, found)
	if err != nil {
		return fmt.Errorf("read types of the target: %w", err)
	}
	for _, t := range found {
		m.types[t.Type] = t
	}
	for name, kind := range kinds {
		m.kinds[name] = kind
	}
	return nil
}

// withConn runs f on a connection of its own.
func withConn(ctx context.Context, dsn string, f func(*pgx.Conn) error) error {
	conn, err := Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return f(conn)
}

// text says that a type becomes text, and why.
func text(t *sourceType, why string) (string, string, error) {
	return "text", fmt.Sprintf("%s %s becomes text", why, t.name), nil
}

// resolve applies the rules; what a type is made of has been loaded with it.
func (m *TypeMap) resolve(t *sourceType) (string, string, error) {
	switch {
	case t.kind == "d" || t.array:
		return m.made(t)
	case t.kind == "e":
		return text(t, "enum")
	case t.local():
		return text(t, "values mean something at the source alone:")
	case m.kinds[t.name].kind != t.kind:
		return text(t, "the target lacks type")
	}
	return t.as(m.kinds[t.name].name), "", nil
}

// made maps domains and arrays, by what they are made of. An array whose
// elements are arrays (of a domain over one) would be written as one of more
// dimensions, which it is not.
func (m *TypeMap) made(t *sourceType) (string, string, error) {
	part := m.types[t.part]
	if part == nil {
		return "", "", fmt.Errorf("it is made of type %d, which is unknown", t.part.OID)
	}
	typ, note, err := m.resolve(part)
	switch {
	case err != nil:
		return "", "", err
	case !t.array:
		return typ, fmt.Sprintf("domain %s becomes %s", t.name, typ), nil
	case strings.HasSuffix(typ, "[]"):
		return text(t, "array of arrays")
	}
	return typ + "[]", note, nil
}
