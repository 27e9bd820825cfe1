package batch

// AppendText appends a value in COPY's text format,
// https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2
func AppendText(buf, data []byte) []byte {
	start := 0
	for i, b := range data {
		var escape byte
		switch b {
		case '\\':
			escape = '\\'
		case '\n':
			escape = 'n'
		case '\r':
			escape = 'r'
		case '\t':
			escape = 't'
		default:
			continue
		}
		buf = append(buf, data[start:i]...)
		buf = append(buf, '\\', escape)
		start = i + 1
	}
	return append(buf, data[start:]...)
}
