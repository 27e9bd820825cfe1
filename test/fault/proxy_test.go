package fault_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/fault"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestProxy_PassesCutsAndAdmitsAgain(t *testing.T) {
	t.Parallel()
	proxy, dsn := fault.NewProxy(t, pgtest.Database(t))
	mustAnswer := func(want bool) {
		t.Helper()
		pgtest.Eventually(t, 5*time.Second, func() error {
			if _, err := tryRows(dsn, "SELECT 1"); (err == nil) != want {
				return fmt.Errorf("answers: %t, want %t", err == nil, want)
			}
			return nil
		})
	}
	mustAnswer(true)
	proxy.Refuse()
	mustAnswer(false)
	proxy.Admit()
	mustAnswer(true)
	proxy.Stall()
	proxy.Cut()
	proxy.Flow()
	mustAnswer(true)
}
