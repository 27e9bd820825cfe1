package autocdc

import "github.com/autocdc/autocdc/config/flowsql"

// later reports what parses but is not carried out; nothing is ever ignored.
func (d *declarer) later(pos flowsql.Pos, what, instead string) {
	d.add(pos, instead, "%s is not supported yet", what)
}
