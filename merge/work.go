package merge

import (
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// work is what a batch brings for one target.
type work struct {
	target *target
	items  []item
	gone   []item // of flows whose copy shows them: only what ends rows
	counts map[*flow]*Counts
}

// item is one change for one flow. tx is shared by the changes of a transaction.
type item struct {
	flow   *flow
	change *batch.Change
	tx     *batch.Tx
}

// sort gives each target the changes that its flows have not applied yet, in WAL
// order, targets by name.
func (a *Applier) sort(txs []batch.Tx) []*work {
	byTarget := map[*target]*work{}
	flowsOf := map[*schema.Relation][]*flow{}
	for i := range txs {
		tx := &txs[i]
		for j := range tx.Changes {
			c := &tx.Changes[j]
			flows, ok := flowsOf[c.Rel]
			if !ok {
				flows = a.byName[c.Rel.Name]
				flowsOf[c.Rel] = flows
			}
			for _, f := range flows {
				if f.wants(tx, c) {
					add(byTarget, item{f, c, tx}, f.behind(tx))
				}
			}
		}
	}
	var list []*work
	for _, t := range a.targets {
		if w := byTarget[t]; w != nil {
			list = append(list, w)
		}
	}
	return list
}

// add gives a target a change, or, of one that its copy shows, what may end a row.
func add(byTarget map[*target]*work, it item, behind bool) {
	if behind && it.change.Old == nil && it.change.Op != batch.Truncate {
		return
	}
	w := byTarget[it.flow.target]
	if w == nil {
		w = &work{target: it.flow.target, counts: map[*flow]*Counts{}}
		byTarget[it.flow.target] = w
	}
	if behind {
		w.gone = append(w.gone, it)
	} else {
		w.items = append(w.items, it)
	}
	c := w.counts[it.flow]
	if c == nil {
		c = &Counts{}
		w.counts[it.flow] = c
	}
	c.add(it.change.Op)
}

func (c *Counts) add(op batch.Op) {
	switch op {
	case batch.Delete:
		c.Deletes++
	case batch.Truncate:
		c.Truncates++
	case batch.Snapshot, batch.Insert, batch.Update:
		c.Upserts++
	}
}

// wants tells whether the flow must apply the change. A commit that starts before
// a position ends at or before it; of a transaction in pieces only the start is
// known at first.
func (f *flow) wants(tx *batch.Tx, c *batch.Change) bool {
	if f.status != Streaming || tx.CommitLSN < f.pos {
		return false
	}
	if f.Feed == Stream {
		return c.Op == batch.Insert || c.Op == batch.Update && !f.SkipChangeCommits
	}
	return c.Op != batch.Truncate || !f.IgnoreTruncate
}

// flowsOf lists the flows that have changes in the work.
func (w *work) flowsOf() []*flow {
	var list []*flow
	for _, f := range w.target.flows {
		if w.counts[f] != nil {
			list = append(list, f)
		}
	}
	return list
}
