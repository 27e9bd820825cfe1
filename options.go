package autocdc

import (
	"slices"
	"strconv"
	"time"

	"github.com/autocdc/autocdc/config"
	"github.com/autocdc/autocdc/config/flowsql"
)

// options are the entries of WITH (…) that a flow may have.
type options struct {
	copy              bool
	skipChangeCommits bool
	truncate          string // apply, ignore or ""
	every             time.Duration
	maxDeletes        float64
	checksum          *flowsql.Option // compare = 'checksum'; nil: rows
	changeFeed        bool
}

// snapshotOptions are those of flows that read snapshots.
func snapshotOptions() []string {
	return []string{"every", "max_delete_fraction", "compare", "change_feed"}
}

// changeOptions are those of the others.
func changeOptions() []string {
	return []string{"copy", "skip_change_commits", "truncate", "change_feed"}
}

func (d *declarer) options(f *flowsql.AutoCDC) options {
	o := options{copy: true, every: time.Hour, maxDeletes: 0.5}
	if f.From.Version != nil {
		o.every = time.Minute
	}
	known := changeOptions()
	if f.From.Kind == flowsql.Snapshot {
		known = snapshotOptions()
	}
	for _, opt := range f.Options {
		if !slices.Contains(known, opt.Name.Name) {
			d.unknownOption(opt, known)
			continue
		}
		switch opt.Name.Name {
		case "every":
			d.interval(opt, &o.every)
		case "max_delete_fraction":
			d.fraction(opt, &o.maxDeletes)
		case "compare":
			d.compare(opt, &o.checksum)
		case "copy":
			d.boolean(opt, &o.copy)
		case "change_feed":
			d.boolean(opt, &o.changeFeed)
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

// interval reads a duration of Go such as 15m, or a number of days such as 7d.
func (d *declarer) interval(opt flowsql.Option, to *time.Duration) {
	w, err := config.ParseWindow(opt.Value)
	if err != nil || w.Infinite || w.Duration <= 0 {
		d.add(opt.At, "write a duration such as '15m', '6h' or '1d'", "%q is no value for %s", opt.Value, opt.Name.Name)
		return
	}
	*to = w.Duration
}

func (d *declarer) compare(opt flowsql.Option, to **flowsql.Option) {
	switch opt.Value {
	case "rows":
	case "checksum":
		*to = &opt
	default:
		d.add(opt.At, "write 'rows' or 'checksum'", "%q is no value for compare", opt.Value)
	}
}

func (d *declarer) fraction(opt flowsql.Option, to *float64) {
	f, err := strconv.ParseFloat(opt.Value, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		d.add(opt.At, "write a number from 0 (no deletes) to 1 (any)", "%q is no value for %s", opt.Value, opt.Name.Name)
		return
	}
	*to = f
}

func (d *declarer) unknownOption(opt flowsql.Option, known []string) {
	later := []string{"adopt", "on_bad_row"}
	if slices.Contains(later, opt.Name.Name) {
		d.later(opt.Name.Pos, "the option "+opt.Name.Name, "leave it out")
		return
	}
	if all := slices.Concat(snapshotOptions(), changeOptions()); slices.Contains(all, opt.Name.Name) {
		d.add(opt.Name.Pos, "its options are "+listed(known), "the option %s is not for this source", opt.Name.Name)
		return
	}
	hint := didYouMean(opt.Name.Name, known)
	if hint == "" {
		hint = "options are " + listed(known)
	}
	d.add(opt.Name.Pos, hint, "unknown option %q", opt.Name.Name)
}
