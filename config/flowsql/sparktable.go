package flowsql

// same is for a number of arguments with which Postgres means what Spark does.
const same = ""

// sparkCalls are the functions that Postgres lacks or means otherwise, by the
// number of their arguments; with another number they are refused.
var sparkCalls = map[string]map[int]string{
	"array":             {1: "ARRAY[$1]"},
	"concat":            {1: "($1)"},
	"current_date":      {0: "CURRENT_DATE"},
	"current_timestamp": {0: "CURRENT_TIMESTAMP"},
	"if":                {3: "CASE WHEN $1 THEN $2 ELSE $3 END"},
	"iff":               {3: "CASE WHEN $1 THEN $2 ELSE $3 END"},
	"ifnull":            {2: "coalesce($1, $2)"},
	"isnotnull":         {1: "(($1) IS NOT NULL)"},
	"isnull":            {1: "(($1) IS NULL)"},
	"lcase":             {1: "lower($1)"},
	"log":               {1: "ln($1)", 2: same},
	"ltrim":             {1: same, 2: "ltrim($2, $1)"},
	"nvl":               {2: "coalesce($1, $2)"},
	"nvl2":              {3: "CASE WHEN ($1) IS NOT NULL THEN $2 ELSE $3 END"},
	"regexp":            {2: "regexp_like($1, $2)"},
	"regexp_count":      {2: same},
	"regexp_instr":      {2: same},
	"regexp_like":       {2: same},
	"regexp_substr":     {2: same},
	"rlike":             {2: "regexp_like($1, $2)"},
	"rtrim":             {1: same, 2: "rtrim($2, $1)"},
	"startswith":        {2: "starts_with($1, $2)"},
	"to_date":           {1: "CAST($1 AS date)"},
	"to_timestamp":      {1: "CAST($1 AS timestamptz)"},
	"ucase":             {1: "upper($1)"},

	"bigint":    {1: "CAST($1 AS bigint)"},
	"binary":    {1: "CAST($1 AS bytea)"},
	"boolean":   {1: "CAST($1 AS boolean)"},
	"double":    {1: "CAST($1 AS double precision)"},
	"float":     {1: "CAST($1 AS real)"},
	"int":       {1: "CAST($1 AS int)"},
	"smallint":  {1: "CAST($1 AS smallint)"},
	"string":    {1: "CAST($1 AS text)"},
	"timestamp": {1: "CAST($1 AS timestamptz)"},
	"tinyint":   {1: "CAST($1 AS smallint)"},
}

// refusedCalls are functions of which Postgres has another of the same name, or
// nothing that a translation could say, each with what to write instead.
var refusedCalls = map[string]string{
	"array_agg":          "Spark leaves nulls out: write array_agg(x) FILTER (WHERE x IS NOT NULL) in a file without SET dialect",
	"array_position":     "Spark gives 0 where nothing is found, Postgres null",
	"date_format":        "Postgres has to_char(x, format) with other patterns, such as 'YYYY-MM-DD'; write it in a file without SET dialect",
	"explode":            "write CROSS JOIN LATERAL unnest(array) AS t(x)",
	"explode_outer":      "write LEFT JOIN LATERAL unnest(array) AS t(x) ON true",
	"filter":             "unnest the array in a query and filter its rows",
	"from_json":          "read json as jsonb: CAST(column AS jsonb) ->> 'field'",
	"from_unixtime":      "write TIMESTAMP '1970-01-01' + x * INTERVAL '1 second'",
	"get_json_object":    "write CAST(column AS jsonb) ->> 'field'",
	"initcap":            "Postgres also begins a word after a sign such as -",
	"inline":             "write CROSS JOIN LATERAL unnest(array) AS t(x)",
	"json_object_keys":   "Postgres gives a row for each key, Spark one array",
	"json_tuple":         "write CAST(column AS jsonb) ->> 'field' for each field",
	"map":                "Postgres has jsonb for it",
	"posexplode":         "write CROSS JOIN LATERAL unnest(array) WITH ORDINALITY AS t(x, n)",
	"regexp_extract_all": "Postgres has regexp_matches(s, pattern, 'g'), which gives rows",
	"safe_cast":          "Postgres has no cast that gives null for what does not fit; test the value with CASE before CAST",
	"split":              "write split_part(s, ',', 1) for a part, string_to_array(s, ',') for all",
	"to_char":            "the patterns of Postgres are others; write it in a file without SET dialect",
	"to_json":            "Postgres names the fields otherwise and keeps nulls; write it in a file without SET dialect",
	"to_number":          "the patterns of Postgres are others; write it in a file without SET dialect",
	"transform":          "unnest the array in a query",
	"try_cast":           "Postgres has no cast that gives null for what does not fit; test the value with CASE before CAST",
	"unix_timestamp":     "write extract(epoch FROM x)",
}

// patternHints are for functions that are refused when they are given a pattern.
var patternHints = map[string]string{
	"to_date":      "Postgres has other patterns; write to_date(x, 'YYYY-MM-DD') in a file without SET dialect",
	"to_timestamp": "Postgres has other patterns; write to_timestamp(x, 'YYYY-MM-DD HH24:MI:SS') in a file without SET dialect",
}
