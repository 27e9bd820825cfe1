package config

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const hidden = "***"

// Redact returns the connection string without its password, in URL or key=value
// form. Of a malformed one it rather hides too much: whatever might be a password
// is hidden.
func Redact(dsn string) string {
	var b strings.Builder
	last := 0
	for _, s := range secrets(dsn) {
		b.WriteString(dsn[last:s.start])
		b.WriteString(hidden)
		last = s.end
	}
	b.WriteString(dsn[last:])
	return b.String()
}

// Scrub hides the secrets of dsn in text, for messages of libraries that quote
// what they could not parse.
func Scrub(text, dsn string) string {
	if dsn == "" {
		return text
	}
	redacted := Redact(dsn)
	text = strings.ReplaceAll(text, dsn, redacted)
	text = strings.ReplaceAll(text, strings.Trim(strconv.Quote(dsn), `"`), redacted)
	for _, s := range secrets(dsn) {
		text = scrubSecret(text, dsn[s.start:s.end])
	}
	return text
}

func scrubSecret(text, secret string) string {
	forms := []string{secret, strings.Trim(strconv.Quote(secret), `"`)}
	if plain, err := url.PathUnescape(secret); err == nil {
		forms = append(forms, plain)
	}
	if unquoted := strings.Trim(secret, "'"); unquoted != secret {
		forms = append(forms, unquoted, strings.ReplaceAll(unquoted, `\`, ""))
	}
	if _, value, ok := strings.Cut(secret, "="); ok {
		forms = append(forms, value)
	}
	for _, f := range forms {
		if f != "" && f != hidden {
			text = strings.ReplaceAll(text, f, hidden)
		}
	}
	return text
}

// part is a stretch of a connection string, in bytes.
type part struct{ start, end int }

// secrets returns the parts to hide, in order.
func secrets(dsn string) []part {
	switch {
	case isURL(dsn):
		return urlSecrets(dsn)
	case strings.Contains(dsn, "="):
		return keywordSecrets(dsn)
	case strings.TrimSpace(dsn) == "":
		return nil
	}
	return []part{{0, len(dsn)}}
}

func isURL(dsn string) bool {
	scheme, _, found := strings.Cut(strings.TrimLeft(dsn, " \t\r\n"), "://")
	return found && scheme != "" && !strings.ContainsAny(scheme, "=:@/?#% \t'\"")
}

// urlSecrets takes everything up to the last @ for user and password, since a
// password may have been written without escaping. Where that could as well be
// part of the query nothing after the first colon is shown.
func urlSecrets(dsn string) []part {
	start := strings.Index(dsn, "://") + len("://")
	var found []part
	at := strings.LastIndexByte(dsn, '@')
	if at < start {
		if p, odd := oddPort(dsn, start); odd {
			return []part{p}
		}
	} else if colon := strings.IndexByte(dsn[start:at], ':'); colon >= 0 {
		if strings.ContainsAny(dsn[start:at], "/?#") {
			return []part{{start + colon + 1, len(dsn)}}
		}
		found = append(found, part{start + colon + 1, at})
		start = at + 1
	}
	if q := strings.IndexByte(dsn[start:], '?'); q >= 0 {
		found = append(found, querySecrets(dsn, start+q+1)...)
	}
	return found
}

// oddPort finds what stands for a port but is none: a password whose host was
// forgotten.
func oddPort(dsn string, start int) (part, bool) {
	authority := dsn[start:]
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	for _, host := range strings.Split(authority, ",") {
		if i := strings.IndexByte(host, ']'); strings.HasPrefix(host, "[") && i >= 0 {
			host = host[i+1:]
		}
		if _, port, ok := strings.Cut(host, ":"); ok && strings.Trim(port, "0123456789") != "" {
			colon := strings.IndexByte(dsn[start:], ':')
			return part{start + colon + 1, len(dsn)}, true
		}
	}
	return part{}, false
}

func querySecrets(dsn string, start int) []part {
	var found []part
	for _, param := range strings.Split(dsn[start:], "&") {
		key, _, ok := strings.Cut(param, "=")
		end := start + len(param)
		name, err := url.QueryUnescape(key)
		switch {
		case ok && err == nil && isPublic(name):
		case ok && err == nil && strings.EqualFold(name, "password"):
			found = append(found, part{start + len(key) + 1, end})
		default:
			found = append(found, part{start, end})
		}
		start = end + 1
	}
	return found
}

// isPublic says whether a parameter's value may be shown.
func isPublic(name string) bool {
	return slices.Contains([]string{
		"host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation",
		"application_name", "connect_timeout", "target_session_attrs", "service", "servicefile", "passfile",
		"search_path", "timezone", "client_encoding", "channel_binding", "gssencmode", "krbsrvname", "keepalives",
		"default_query_exec_mode", "pool_max_conns",
	}, strings.ToLower(name))
}
