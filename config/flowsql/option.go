package flowsql

// options parses ( name = value, … ).
func (p *parser) options() ([]Option, bool) {
	if !p.needOperator("(") {
		return nil, false
	}
	if p.tok().isOperator(")") {
		return nil, p.fail(p.tok().Pos, "leave WITH out, or name options in it", "empty list of options")
	}
	var options []Option
	seen := map[string]Pos{}
	for {
		o, ok := p.option()
		if !ok {
			return nil, false
		}
		p.once(seen, "option", o.Name)
		options = append(options, o)
		if !p.takeOperator(",") {
			break
		}
	}
	if !p.takeOperator(")") {
		return nil, p.expectedHint("write a value of several words in quotes: every = '10 minutes'", ", or )")
	}
	return options, true
}

func (p *parser) option() (Option, bool) {
	name, ok := p.ident("the name of an option")
	if !ok || !p.needOperator("=") {
		return Option{}, false
	}
	at := p.tok().Pos
	sign := ""
	if p.tok().isOperator("-") && p.ahead(1).Kind == Number {
		sign = "-"
		p.i++
	}
	t := p.tok()
	if t.Kind != String && t.Kind != Number && t.Kind != Word {
		return Option{}, p.expected("the value of option " + name.String())
	}
	if t.Quoted {
		return Option{}, p.fail(t.Pos, quotedHint(t), "expected the value of option %s, found %s", name, p.found())
	}
	p.i++
	return Option{Name: name, Value: sign + t.Text, At: at}, true
}
