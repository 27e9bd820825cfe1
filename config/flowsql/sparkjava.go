package flowsql

import (
	"fmt"
	"strings"
)

// javaRegexp turns a regular expression of Java into one of Postgres.
type javaRegexp struct {
	src          string
	i            int
	out          strings.Builder
	groups       int
	around       []bool // of each open bracket: whether it is in a lookaround
	dotAll       bool
	lazy, greedy bool
	fault, hint  string
}

func (j *javaRegexp) fail(fault, hint string) {
	if j.fault == "" {
		j.fault, j.hint = fault, hint
	}
}

// take passes n bytes and writes them, or text in their place.
func (j *javaRegexp) take(n int, text string) {
	j.out.WriteString(text)
	j.i += n
}

func (j *javaRegexp) rest() string { return j.src[j.i:] }

func (j *javaRegexp) translate() {
	j.flags()
	for j.i < len(j.src) && j.fault == "" {
		switch c := j.src[j.i]; c {
		case '\\':
			j.escape(false)
		case '[':
			j.class()
		case '(':
			j.open()
		case ')':
			j.around = j.around[:max(0, len(j.around)-1)]
			j.take(1, ")")
		case '.':
			j.dot()
		case '|':
			j.greedy = true
			j.take(1, "|")
		case '*', '+', '?', '{':
			j.quantifier()
		default:
			j.take(1, string([]byte{c}))
		}
	}
}

// flags translates (?i) at the beginning, the only place where Postgres has it.
func (j *javaRegexp) flags() {
	names := ""
	for strings.HasPrefix(j.rest(), "(?") {
		n := span(j.rest()[2:], func(c byte) bool { return strings.IndexByte("ims", c) >= 0 })
		if n == 0 || j.i+2+n >= len(j.src) || j.src[j.i+2+n] != ')' {
			break
		}
		names += j.rest()[2 : 2+n]
		j.i += n + 3
	}
	j.dotAll = strings.Contains(names, "s")
	embedded := ""
	if strings.Contains(names, "i") {
		embedded = "i"
	}
	if strings.Contains(names, "m") {
		embedded += "w" // ^ and $ at each line, and nothing else
	}
	if embedded != "" {
		j.out.WriteString("(?" + embedded + ")")
	}
}

// dot is any character but the end of a line.
func (j *javaRegexp) dot() {
	if j.dotAll {
		j.take(1, ".")
		return
	}
	j.take(1, `[^\n\r]`)
}

func (j *javaRegexp) escape(inClass bool) {
	if j.i+1 >= len(j.src) {
		j.fail("that ends with a backslash", `in a string write \\ for a backslash, or r'…'`)
		return
	}
	c := j.src[j.i+1]
	switch {
	case strings.IndexByte("dDwWsStnrfa", c) >= 0, !inClass && strings.IndexByte("AZ123456789", c) >= 0:
		j.take(2, j.src[j.i:j.i+2])
	case c == 'b' && !inClass:
		j.take(2, `\y`)
	case c == 'B' && !inClass:
		j.take(2, `\Y`)
	case c == 'z' && !inClass:
		j.take(2, `\Z`)
	case c == 'u' && hexDigits(j.rest()[2:]) >= 4:
		j.take(6, j.src[j.i:j.i+6])
	case c == 'x' && hexDigits(j.rest()[2:]) >= 2:
		j.take(4, `\u00`+j.src[j.i+2:j.i+4])
	case isWordByte(c) && c != '_' && c < 0x80:
		j.fail(fmt.Sprintf(`with \%c`, c), "Postgres does not have it; its own are in its manual under Regular Expression Details")
	default:
		j.take(2, j.src[j.i:j.i+2])
	}
}

func hexDigits(s string) int {
	return span(s, func(c byte) bool { return isRadixDigit(c) && c != '_' })
}

// class translates […].
func (j *javaRegexp) class() {
	j.take(1, "[")
	if strings.HasPrefix(j.rest(), "^") {
		j.take(1, "^")
	}
	for first := true; j.i < len(j.src) && j.fault == ""; first = false {
		switch c := j.src[j.i]; {
		case c == ']' && !first:
			j.take(1, "]")
			return
		case c == '[' || strings.HasPrefix(j.rest(), "&&"):
			j.fail("with a class inside a class", "write one list of characters in brackets")
		case c == '\\':
			j.escape(true)
		default:
			j.take(1, string([]byte{c}))
		}
	}
}

// open translates what an opening bracket begins.
func (j *javaRegexp) open() {
	inside := len(j.around) > 0 && j.around[len(j.around)-1]
	rest := j.rest()
	captures := false
	switch {
	case !strings.HasPrefix(rest, "(?"):
		captures = true
		j.take(1, "(")
	case strings.HasPrefix(rest, "(?:"):
		j.take(3, "(?:")
	case strings.HasPrefix(rest, "(?="), strings.HasPrefix(rest, "(?!"):
		inside = true
		j.take(3, rest[:3])
	case strings.HasPrefix(rest, "(?<="), strings.HasPrefix(rest, "(?<!"):
		inside = true
		j.take(4, rest[:4])
	case strings.HasPrefix(rest, "(?<") && strings.Contains(rest, ">"):
		captures = true
		j.take(strings.Index(rest, ">")+1, "(")
	default:
		j.fail("with "+cut(rest[:min(len(rest), 4)]), "Postgres takes flags such as (?i) at the beginning only, and has no other groups than (…), (?:…) and lookarounds")
	}
	if captures {
		j.groups++
		if inside {
			j.fail("with a group inside a lookaround", "write (?:…) in it")
		}
	}
	j.around = append(j.around, inside)
}

// quantifier notes whether the quantifier takes as much as it can.
func (j *javaRegexp) quantifier() {
	n, fixed := 1, false
	if rest := j.rest(); rest[0] == '{' {
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			j.take(1, "{")
			return
		}
		n, fixed = end+1, !strings.Contains(rest[:end], ",")
	}
	j.take(n, j.rest()[:n])
	switch {
	case strings.HasPrefix(j.rest(), "?"):
		j.lazy = j.lazy || !fixed
		j.take(1, "?")
	case strings.HasPrefix(j.rest(), "+"):
		j.fail("with a possessive quantifier", "Postgres does not have it; leave the second + out")
	default:
		j.greedy = j.greedy || !fixed
	}
}
