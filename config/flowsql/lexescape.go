package flowsql

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// escapeString reads the inside of E'…': backslash escapes and doubled quotes.
func escapeString(s string, quote byte) (string, int) {
	return escaped(s, quote, postgresEscape)
}

// escaped reads to the closing quote; escape gets what follows a backslash and
// returns the value and the length of it.
func escaped(s string, quote byte, escape func(string) (string, int)) (string, int) {
	var value strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			v, n := escape(s[i+1:])
			value.WriteString(v)
			i += n
		case s[i] == quote && i+1 < len(s) && s[i+1] == quote:
			value.WriteByte(quote)
			i++
		case s[i] == quote:
			return value.String(), i + 1
		default:
			value.WriteByte(s[i])
		}
	}
	return "", 0
}

func postgresEscape(s string) (string, int) {
	switch c := s[0]; c {
	case 'b', 'f', 'n', 'r', 't':
		return control(c), 1
	case 'x':
		return number(s, 1, 2, 16, true)
	case 'u':
		return number(s, 1, 4, 16, false)
	case 'U':
		return number(s, 1, 8, 16, false)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return number(s, 0, 3, 8, true)
	}
	return one(s)
}

func control(c byte) string {
	i := strings.IndexByte("bfnrt", c)
	return "\b\f\n\r\t"[i : i+1]
}

// one is an escaped character that stands for itself.
func one(s string) (string, int) {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n], n
}

// number reads up to digits digits of a character code at s[from:]: of a byte,
// or of a rune, which has exactly that many. What is no code stands for itself.
func number(s string, from, digits, base int, isByte bool) (string, int) {
	n := from
	for n < len(s) && n < from+digits && isRadixDigit(s[n]) && s[n] != '_' && (base == 16 || s[n] < '8' && isDigit(s[n])) {
		n++
	}
	code, err := strconv.ParseUint(s[from:n], base, 32)
	switch {
	case err != nil, !isByte && n < from+digits:
		return one(s)
	case isByte:
		return string([]byte{byte(code)}), n
	}
	return string(rune(code)), n
}
