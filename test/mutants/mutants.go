package main

// mutant is one way to break a rule.
type mutant struct {
	rule     string // that no longer holds
	file     string // template
	from, to string
	tests    []string // that have to notice
}

// images is a test of the root package: values of the model have one image each.
var images = []string{".", "-count=1", "-run", "TestRun_ComparesByChecksums"}

func mutants() []mutant {
	return []mutant{
		{"of events at one sequence the last one wins", "fold", `ORDER BY y."__grp", y."__seq", y."__pos" DESC`, `ORDER BY y."__grp", y."__seq", y."__pos"`, model},
		{"the shadow remembers events that changed nothing", "fold", `s."__what" IN ('=', '-') OR`, `s."__what" IN ('-') OR`, model},
		{"the end of a version is a delete, so that gaps stay", "fold", `WHERE t."__end_at" IS NOT NULL`, `WHERE false AND t."__end_at" IS NOT NULL`, model},
		{"truncates are remembered", "fold", `JOIN {{.Floor}} AS f ON l."__base" IS NULL OR f."__seq" > l."__base"`, `JOIN {{.Floor}} AS f ON false`, model},
		{"a column that was not carried keeps its value", "fold", `y."__kind" = 'd' OR NOT {{missing "y" .Index}}`, `true OR {{missing "y" .Index}}`, model},
		{"the base is the newest start before the event", "fold", `AND t."__start_at" < s."__seq"`, `AND t."__start_at" > s."__seq"`, model},
		{"only tracked columns make versions", "fold", `record_image_eq({{row "f" .Tracked}}, {{row "p" .Tracked}})`, `record_image_eq({{row "f" .Columns}}, {{row "p" .Columns}})`, model},
		{"a key is late if its last version ended later", "scd2", `OR r."__end_at" >= l."__seq"`, ``, model},
		{"a key is late if something of it is remembered", "scd2", `OR EXISTS (SELECT FROM {{.Shadow}} AS h WHERE {{equal "h" "e" .Keys}} AND h."__seq" >= l."__seq")`, ``, model},
		{"an older event does not go over a newer row", "scd1", `WHEN MATCHED AND t."__sequence" > s."__seq" THEN`, `WHEN MATCHED AND false THEN`, model},
		{"a delete without a row is remembered", "scd1", `WHERE e."__kind" = 'd'`, `WHERE false AND e."__kind" = 'd'`, model},
		{"an epoch knows the events of its own system time", "bitemporal", `k."__sys" <= e."__sys"`, `k."__sys" < e."__sys"`, model},
		{"a snapshot deletes the keys that it lacks", "snapshot", `WHERE NOT EXISTS (SELECT FROM {{.Stage}} AS s WHERE {{equal "s" "t" .Keys}})`, `WHERE false`, model},
		{"a snapshot is compared by the image of rows", "snapshot", `NOT record_image_eq({{row "s" .Others}}, {{row "t" .Others}})`, `({{cols "s" .Others}}) IS DISTINCT FROM ({{cols "t" .Others}})`, images},
	}
}
