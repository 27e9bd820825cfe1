package files

import "io"

// ScanCSV gives the records of CSV, which is read through a window that begins with
// a size.
func ScanCSV(r io.Reader, window int) ([][]string, error) {
	text, err := decoded(r, "")
	if err != nil {
		return nil, err
	}
	s := newScanner(newWindow(text, window, 1<<20), dialect{null: "\x00"}.filled(""))
	var all [][]string
	for {
		some, err := s.next()
		if !some || err != nil {
			return all, err
		}
		var record []string
		for _, v := range s.values(nil) {
			record = append(record, string(v))
		}
		all = append(all, record)
	}
}

// ParseJSON gives the members of a line of JSON.
func ParseJSON(line []byte) (map[string]string, error) {
	r := jsonRows{}
	if line = space(line); len(line) == 0 {
		return nil, errNoObject
	}
	if err := r.parse(line); err != nil {
		return nil, err
	}
	members := map[string]string{}
	for _, m := range r.object.members {
		if err := checkEscapes(m.value); err != nil {
			return nil, err
		}
		members[string(m.name)] = string(m.value)
	}
	return members, nil
}

// HintOf is the hint of an error.
func HintOf(err error) string { return hintOf(err) }
