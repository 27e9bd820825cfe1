package catalog_test

import (
	"context"
	"testing"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/test/pgtest"
)

const sourceTypes = `
CREATE SCHEMA x; CREATE EXTENSION citext SCHEMA x; CREATE EXTENSION hstore SCHEMA x; CREATE EXTENSION ltree;
CREATE TYPE mood AS ENUM ('ok'); CREATE TYPE pair AS (a int, b int); CREATE TYPE both_have AS (a int);
CREATE TYPE span AS RANGE (subtype = float8);
CREATE DOMAIN money2 AS numeric(12,2); CREATE DOMAIN deep AS money2 CHECK (value > 0); CREATE DOMAIN moods AS mood; CREATE DOMAIN ints AS int[];
CREATE TABLE t (
	a varchar(10), b char, c bpchar, d numeric(5,1)[], e timestamp(3) with time zone, f bit(3), g "char", h interval day to second(2), i int2vector,
	j regclass, k regtype[], l aclitem, m pg_lsn, n xid8, o int4range, p datemultirange, q name, r time(0)[],
	s mood, t mood[], u pair, v pair[], w both_have, x span, y deep, z deep[], aa moods[], ab ints, ac ints[],
	ad x.citext, ae x.hstore[], af ltree, ag jsonb, ah xml, ai information_schema.sql_identifier, aj bit varying, ak x.citext[]
)`

func TestTypeMap(t *testing.T) {
	t.Parallel()
	ctx, source, target := context.Background(), pgtest.Database(t), pgtest.Database(t)
	pgtest.Exec(t, source, sourceTypes)
	pgtest.Exec(t, target, `CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE TYPE both_have AS (a int); CREATE TYPE mood AS ENUM ('ok'); CREATE TYPE pair AS ENUM ('x')`)
	rels, err := catalog.Relations(ctx, connect(t, source), []schema.Name{name("t")})
	must(t, err)
	m := catalog.NewTypeMap(source, target)
	var types []catalog.Type
	for _, c := range rels[name("t")].Columns {
		types = append(types, catalog.Type{OID: c.TypeOID, Mod: c.TypeMod})
	}
	must(t, m.Load(ctx, types))
	want := map[string][2]string{
		"a": {"character varying(10)"}, "b": {"character(1)"}, "c": {"bpchar"}, "d": {"numeric(5,1)[]"}, "e": {"timestamp(3) with time zone"},
		"f": {"bit(3)"}, "g": {`"char"`}, "h": {"interval day to second(2)"}, "i": {"int2vector"},
		"j": {"text", "values mean something at the source alone: regclass becomes text"},
		"k": {"text[]", "values mean something at the source alone: regtype becomes text"},
		"l": {"text", "values mean something at the source alone: aclitem becomes text"},
		"m": {"pg_lsn"}, "n": {"xid8"}, "o": {"int4range"}, "p": {"datemultirange"}, "q": {"name"}, "r": {"time(0) without time zone[]"},
		"s": {"text", "enum public.mood becomes text"}, "t": {"text[]", "enum public.mood becomes text"},
		"u": {"text", "the target lacks type public.pair becomes text"}, "v": {"text[]", "the target lacks type public.pair becomes text"},
		"w": {"public.both_have"}, "x": {"text", "the target lacks type public.span becomes text"},
		"y": {"numeric(12,2)", "domain public.deep becomes numeric(12,2)"}, "z": {"numeric(12,2)[]", "domain public.deep becomes numeric(12,2)"},
		"aa": {"text[]", "domain public.moods becomes text"}, "ab": {"integer[]", "domain public.ints becomes integer[]"},
		"ac": {"text", "array of arrays public.ints[] becomes text"},
		"ad": {"public.citext"}, "ae": {"public.hstore[]"}, "af": {"text", "the target lacks type public.ltree becomes text"},
		"ag": {"jsonb"}, "ah": {"xml"}, "ai": {"name", "domain information_schema.sql_identifier becomes name"}, "aj": {"bit varying"}, "ak": {"public.citext[]"},
	}
	var declared string
	for _, c := range rels[name("t")].Columns {
		typ, note, err := m.Map(ctx, c.TypeOID, c.TypeMod)
		must(t, err)
		if w := want[c.Name]; typ != w[0] || note != w[1] {
			t.Errorf("%s %s: got %q, %q, want %q", c.Name, c.Type, typ, note, w)
		}
		declared += ", " + schema.Ident(c.Name).String() + " " + typ
	}
	pgtest.Exec(t, target, "CREATE TABLE t ("+declared[1:]+")")
	if _, err := m.TypeName(ctx, 1, -1); err == nil {
		t.Error("a type that does not exist is named")
	}
}
