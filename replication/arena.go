package replication

const arenaChunk = 256 << 10

// arena copies bytes into large chunks, so that a row costs no allocation of its
// own. A chunk lives as long as anything that was copied into it.
type arena struct{ free []byte }

// copy returns the concatenation of a and b in memory of its own.
func (m *arena) copy(a, b []byte) []byte {
	n := len(a) + len(b)
	if n > arenaChunk/4 {
		return append(append(make([]byte, 0, n), a...), b...)
	}
	if cap(m.free)-len(m.free) < n {
		m.free = make([]byte, 0, arenaChunk)
	}
	at := len(m.free)
	m.free = append(append(m.free, a...), b...)
	return m.free[at : at+n : at+n]
}
