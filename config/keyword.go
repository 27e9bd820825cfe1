package config

import "strings"

// keywordSecrets goes through key = value pairs as libpq reads them. From the
// first that is malformed on it hides all, as do unknown keys: both may be the
// rest of a password with a space in it.
func keywordSecrets(dsn string) []part {
	var found []part
	for i := skipBlank(dsn, 0); i < len(dsn); i = skipBlank(dsn, i) {
		start := i
		equals := strings.IndexByte(dsn[i:], '=')
		if equals < 0 {
			return append(found, part{start, len(dsn)})
		}
		key := strings.TrimRight(dsn[i:i+equals], " \t\r\n")
		value := skipBlank(dsn, i+equals+1)
		end, ok := valueEnd(dsn, value)
		switch {
		case !ok || strings.ContainsAny(key, " \t\r\n'\"\\"):
			return append(found, part{start, len(dsn)})
		case isPublic(key):
		case key == "password":
			found = append(found, part{value, end})
		default:
			found = append(found, part{start, end})
		}
		i = end
	}
	return found
}

func skipBlank(s string, i int) int {
	for i < len(s) && strings.IndexByte(" \t\r\n\f\v", s[i]) >= 0 {
		i++
	}
	return i
}

// valueEnd returns where the value at i ends; ok is false if its quote is not
// closed.
func valueEnd(s string, i int) (end int, ok bool) {
	quoted := i < len(s) && s[i] == '\''
	if quoted {
		i++
	}
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case quoted && s[i] == '\'':
			return i + 1, i+1 == len(s) || strings.IndexByte(" \t\r\n\f\v", s[i+1]) >= 0
		case !quoted && strings.IndexByte(" \t\r\n\f\v", s[i]) >= 0:
			return i, true
		}
	}
	return min(i, len(s)), !quoted
}
