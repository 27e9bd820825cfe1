package merge

import (
	"context"
	"fmt"
	"time"

	"github.com/autocdc/autocdc/schema"
)

// RunningError says that another run of the pipeline lives.
type RunningError struct {
	Pipeline string
	PID      int // backend of the other run on the target
	Since    time.Time
}

func (e *RunningError) Error() string {
	return fmt.Sprintf("pipeline %q is running already (backend %d on the target, since %s)", e.Pipeline, e.PID, e.Since.Format(time.RFC3339))
}

// Lock makes this process the only one that may write for the pipeline: a
// session lock that tells whether another lives, and a new fence token that
// stops one that only seems dead. It returns *RunningError while another lives.
func (s *State) Lock(ctx context.Context, pipeline string) error {
	key := "autocdc " + string(s.schema) + " " + pipeline
	var got bool
	if err := s.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtextextended($1, 0))`, key).Scan(&got); err != nil {
		return fmt.Errorf("lock pipeline %q: %w", pipeline, err)
	}
	if !got {
		return s.holder(ctx, pipeline, key)
	}
	if err := s.conn.QueryRow(ctx, "SELECT nextval("+schema.Literal(s.table("fence").String())+")").Scan(&s.fence); err != nil {
		return fmt.Errorf("draw fence of pipeline %q: %w", pipeline, err)
	}
	// waits for a batch in flight of a run that has lost its session lock
	for _, table := range []string{"source", "flow"} {
		if _, err := s.conn.Exec(ctx, fmt.Sprintf(`UPDATE %s SET fence = $2 WHERE pipeline = $1`, s.table(table)), pipeline, s.fence); err != nil {
			return fmt.Errorf("fence pipeline %q: %w", pipeline, err)
		}
	}
	return nil
}

func (s *State) holder(ctx context.Context, pipeline, key string) error {
	running := &RunningError{Pipeline: pipeline}
	const query = `SELECT a.pid, a.backend_start
FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
  AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended($1, 0)`
	if err := s.conn.QueryRow(ctx, query, key).Scan(&running.PID, &running.Since); err != nil {
		return fmt.Errorf("lock pipeline %q: another run has just held it: %w", pipeline, err)
	}
	return running
}
