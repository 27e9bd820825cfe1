package schema

// SessionSettings returns the settings on which the text form of values and
// names depends, and the time-outs that would end long work, as every connection
// of the service pins them. The empty search_path makes
// the server qualify every name outside pg_catalog (format_type, regclass).
// Each call returns a new map.
func SessionSettings() map[string]string {
	return map[string]string{
		"client_encoding":    "UTF8",
		"DateStyle":          "ISO, YMD",
		"IntervalStyle":      "postgres",
		"TimeZone":           "UTC",
		"extra_float_digits": "3",
		"bytea_output":       "hex",
		"lc_monetary":        "C",
		"search_path":        "",

		"quote_all_identifiers":               "off",
		"standard_conforming_strings":         "on",
		"statement_timeout":                   "0",
		"lock_timeout":                        "0",
		"idle_in_transaction_session_timeout": "0",
		"idle_session_timeout":                "0",
	}
}
