package autocdc

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema"
)

// slotInUse is the slot of a source, ready to be read.
type slotInUse struct {
	name         string
	publications []string
	export       *replication.Export // if the slot has just been made; nil after close
}

// close gives the exported snapshot up. It may be called more than once.
func (s *slotInUse) close() {
	if s.export != nil {
		_ = s.export.Close() // nothing depends on how it ends
		s.export = nil
	}
}

// prepare makes or finds publications and slot.
func (s *sourceRun) prepare(ctx context.Context, conn *pgx.Conn) (*slotInUse, error) {
	known, err := s.remembered(ctx)
	if err != nil {
		return nil, err
	}
	system, err := replication.IdentifySystem(ctx, s.source.DSN)
	if err != nil {
		return nil, err
	}
	slot := &slotInUse{name: s.slot(s.source.Name)}
	slot.publications = []string{slot.name, replication.FeedsPublication(slot.name)}
	found, err := replication.LookupSlot(ctx, conn, slot.name)
	if err != nil {
		return nil, err
	}
	if f := slotFault(s.source.Name, slot.name, known, found, system); f != nil {
		return nil, &HintError{errors.New(f.Message), f.Hint}
	}
	if err := s.publish(ctx, conn, slot.name); err != nil {
		return nil, err
	}
	failpoint.Pass(failpoint.PublicationMade)
	if known == nil || known.Checkpoint == 0 {
		return slot, s.makeSlot(ctx, conn, slot, system)
	}
	return slot, nil
}

// publish puts the tables of all flows into the publications. A feed that has a
// replica identity is published with all its changes, so that an UPDATE is
// noticed; one without must stay harmless for its owner and is published with its
// inserts only.
func (s *sourceRun) publish(ctx context.Context, conn *pgx.Conn, name string) error {
	var changes, feeds []schema.Name
	for _, f := range s.flows {
		if f.Once {
			continue // its rows are copied, and what comes later is not for it
		}
		identified := true
		if f.Feed == merge.Stream {
			var err error
			if identified, err = hasIdentity(ctx, conn, f.Rel.Name); err != nil {
				return err
			}
		}
		if identified {
			changes = append(changes, f.Rel.Name)
		} else {
			feeds = append(feeds, f.Rel.Name)
		}
	}
	return replication.EnsurePublications(ctx, conn, name, changes, feeds)
}

func hasIdentity(ctx context.Context, conn *pgx.Conn, table schema.Name) (bool, error) {
	err := replication.CheckIdentity(ctx, conn, []schema.Name{table})
	var none *replication.IdentityError
	if errors.As(err, &none) {
		return false, nil
	}
	return err == nil, err
}

func (s *sourceRun) remembered(ctx context.Context) (known *merge.SourceState, err error) {
	s.life, err = s.keeper.use(ctx, func(state *merge.State) error {
		known, err = state.Source(ctx, s.Name, s.source.Name)
		return err
	})
	return known, err
}

// slotFault tells what keeps a slot from being used, given what the target
// remembers of the source and what the source has.
func slotFault(source, name string, known *merge.SourceState, found *replication.Slot, now replication.System) *Fault {
	again := "what changed since the last run cannot be read any more. To copy everything anew, drop the targets and the metadata schema of this pipeline, then run again"
	switch {
	case found != nil && found.Database != now.Database:
		return elsewhere(source, found)
	case known == nil && found != nil:
		return &Fault{
			Message: fmt.Sprintf("slot %q exists at source %q, but the target knows nothing of it: another installation may depend on it", name, source),
			Hint:    fmt.Sprintf("give this pipeline another name (pipeline: in the YAML); or, if nothing uses the slot: SELECT pg_drop_replication_slot('%s');", name),
		}
	case known == nil:
		return nil
	case known.SystemID != now.SystemID:
		return &Fault{
			Message: fmt.Sprintf("source %q is another server than before: its system identifier is %s, was %s", source, now.SystemID, known.SystemID),
			Hint:    "check the DSN; if the source was replaced for good: " + again,
		}
	case known.Database != now.Database:
		return &Fault{
			Message: fmt.Sprintf("source %q is another database than before: %q, was %q", source, now.Database, known.Database),
			Hint:    "check the DSN, or give the source another name",
		}
	case known.Checkpoint == 0:
		return nil
	case found == nil:
		return &Fault{Message: fmt.Sprintf("slot %q is gone from source %q", name, source), Hint: again}
	case found.Lost():
		return &Fault{
			Message: fmt.Sprintf("slot %q at source %q has lost its WAL (%s %s)", name, source, found.WALStatus, found.Invalidation),
			Hint:    again + "; raise max_slot_wal_keep_size there",
		}
	}
	return nil
}

// elsewhere tells whose a slot of our name is: names are one for all databases of a
// server.
func elsewhere(source string, found *replication.Slot) *Fault {
	whose := fmt.Sprintf("to database %q", found.Database)
	if found.Database == "" {
		whose = "to no database: it is a physical one"
	}
	return &Fault{
		Message: fmt.Sprintf("slot %q at the server of source %q belongs %s", found.Name, source, whose),
		Hint:    fmt.Sprintf("give this pipeline another name (pipeline: in the YAML); or, if nothing uses the slot, connect to its database: SELECT pg_drop_replication_slot('%s');", found.Name),
	}
}

// makeSlot makes the slot, or makes it again if a run ended between the slot and
// its record. The target hears of the name first, so that a slot of our own is
// never taken for somebody else's.
func (s *sourceRun) makeSlot(ctx context.Context, conn *pgx.Conn, slot *slotInUse, system replication.System) (err error) {
	state := merge.SourceState{
		Name: s.source.Name, Slot: slot.name, Database: system.Database, SystemID: system.SystemID, Timeline: system.Timeline,
	}
	if err := s.save(ctx, state); err != nil {
		return err
	}
	failpoint.Pass(failpoint.SlotNamed)
	if err := replication.DropSlot(ctx, conn, slot.name); err != nil {
		return err
	}
	if slot.export, err = replication.CreateSlot(ctx, s.source.DSN, slot.name, false, s.log); err != nil {
		return err
	}
	s.log.Info("made slot", "slot", slot.name, "lsn", slot.export.LSN)
	failpoint.Pass(failpoint.SlotMade)
	state.Checkpoint, state.Stamp = slot.export.LSN, slot.export.Stamp
	if err := s.save(ctx, state); err != nil {
		return err
	}
	failpoint.Pass(failpoint.SlotSaved)
	return nil
}

func (s *sourceRun) save(ctx context.Context, src merge.SourceState) (err error) {
	s.life, err = s.keeper.use(ctx, func(state *merge.State) error { return state.SaveSource(ctx, s.Name, src) })
	return err
}
