package flowsql

import "strings"

// String returns the name as it could stand in a flow file: dotted, each part
// quoted where it has to be.
func (n Name) String() string {
	parts := make([]string, len(n.Parts))
	for i, p := range n.Parts {
		parts[i] = p.String()
	}
	return strings.Join(parts, ".")
}

// Last returns the part after the last dot.
func (n Name) Last() Ident { return n.Parts[len(n.Parts)-1] }

// String returns the identifier as it could stand in a flow file, quoted where
// it has to be.
func (i Ident) String() string {
	if isPlain(i.Name) && !reserved(i.Name) {
		return i.Name
	}
	return quote(i.Name)
}

// isPlain says whether the name is itself after folding.
func isPlain(name string) bool {
	if name == "" || isDigit(name[0]) || name[0] == '$' {
		return false
	}
	for _, c := range []byte(name) {
		if !isWordByte(c) || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// name parses a dotted name of at most most parts.
func (p *parser) name(what string, most int) (Name, bool) {
	first, ok := p.ident(what)
	if !ok {
		return Name{}, false
	}
	n := Name{Pos: first.Pos, Parts: []Ident{first}}
	for p.takeOperator(".") {
		part, ok := p.ident("a name after the dot")
		if !ok {
			return Name{}, false
		}
		n.Parts = append(n.Parts, part)
	}
	if len(n.Parts) > most {
		p.fail(n.Pos, nameHints(most), "%s: a name of %d parts", n, len(n.Parts))
		return Name{}, false
	}
	return n, true
}

func nameHints(most int) string {
	switch most {
	case 1:
		return "this name has one part, without a schema"
	case 2:
		return "write schema.table"
	}
	return "write source.schema.table"
}

// target parses the name of a target. The catalog of a three-part spark name is
// dropped.
func (p *parser) target() (Name, bool) {
	if p.dialect() != Spark {
		return p.name("the name of the target", 2)
	}
	n, ok := p.name("the name of the target", 3)
	if len(n.Parts) == 3 {
		n.Parts = n.Parts[1:]
		n.Pos = n.Parts[0].Pos
	}
	return n, ok
}

// identMax is the length to which Postgres would cut a name.
const identMax = 63

// ident parses one identifier; words that begin the next clause are none.
func (p *parser) ident(what string) (Ident, bool) {
	t := p.tok()
	if t.Kind != Word || !t.Quoted && p.startsClause(p.i) {
		p.expected(what)
		return Ident{}, false
	}
	if len(t.Text) > identMax {
		p.fail(t.Pos, "Postgres cuts names there", "identifier longer than %d bytes", identMax)
		return Ident{}, false
	}
	p.i++
	return Ident{Pos: t.Pos, Name: t.Text}, true
}
