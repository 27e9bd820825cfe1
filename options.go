package autocdc

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
)

// options are the entries of WITH (…) that a flow may have.
type options struct {
	copy              bool
	skipChangeCommits bool
	truncate          string // apply, ignore or ""
}

func (d *declarer) options(f *flowsql.AutoCDC) options {
	o := options{copy: true}
	for _, opt := range f.Options {
		switch opt.Name.Name {
		case "copy":
			d.boolean(opt, &o.copy)
		case "skip_change_commits":
			d.boolean(opt, &o.skipChangeCommits)
			if f.From.Kind == flowsql.Changes {
				d.add(opt.Name.Pos, "", "skip_change_commits is for STREAM, this flow reads CHANGES")
			}
		case "truncate":
			o.truncate = opt.Value
			if !slices.Contains([]string{"apply", "ignore"}, opt.Value) {
				d.add(opt.At, "write 'apply' or 'ignore'", "%q is no value for truncate", opt.Value)
			}
		default:
			d.unknownOption(opt)
		}
	}
	return o
}

func (d *declarer) boolean(opt flowsql.Option, to *bool) {
	switch opt.Value {
	case "true", "on":
		*to = true
	case "false", "off":
		*to = false
	default:
		d.add(opt.At, "write true or false", "%q is no value for %s", opt.Value, opt.Name.Name)
	}
}

func (d *declarer) unknownOption(opt flowsql.Option) {
	later := []string{"adopt", "every", "on_bad_row", "change_feed", "max_delete_fraction"}
	if slices.Contains(later, opt.Name.Name) {
		d.later(opt.Name.Pos, "the option "+opt.Name.Name, "leave it out")
		return
	}
	known := []string{"copy", "skip_change_commits", "truncate"}
	hint := didYouMean(opt.Name.Name, known)
	if hint == "" {
		hint = "options are " + listed(known)
	}
	d.add(opt.Name.Pos, hint, "unknown option %q", opt.Name.Name)
}
