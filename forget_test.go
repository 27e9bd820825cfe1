package autocdc_test

import (
	"testing"
	"time"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/config"
	"github.com/autocdc/autocdc/test/pgtest"
)

// stock is a feed whose only row was deleted at 20.
const stock = `
CREATE TABLE feed (sku text, qty int, at int, gone bool);
INSERT INTO feed VALUES ('tea', 1, 10, false), ('tea', NULL, 20, true);`

const stockFlow = `
CREATE STREAMING TABLE dw.stock;
CREATE FLOW stock AS AUTO CDC INTO dw.stock FROM STREAM(feed) KEYS (sku)
APPLY AS DELETE WHEN gone SEQUENCE BY at COLUMNS (sku, qty);`

const tombstones = "SELECT count(*)::text FROM autocdc.shadow_1"

func TestRun_ForgetsAfterTheWindow(t *testing.T) {
	t.Parallel()
	s := newShop(t, stock, stockFlow)
	s.LateArrival = &config.Window{Duration: time.Nanosecond}
	s.triggered()
	s.eventually(tombstones, "0")
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES ('tea', 2, 15, false)")
	s.triggered()
	status, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := status.Sources[0].Flows[0].LateBeyondWindow; n != 1 {
		t.Errorf("status counts %d events beyond the window, want 1", n)
	}
	const addr = "127.0.0.1:18431"
	s.start(autocdc.RunOptions{HTTP: addr})
	pgtest.Eventually(t, 30*time.Second, func() error {
		return serves(addr, "/metrics", `autocdc_late_beyond_window{flow="stock",source="shop"} 1`)
	})
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES ('tea', 3, 30, false)")
	s.eventually("SELECT qty::text FROM dw.stock", "3")
}

func TestRun_ForgetsNothingIfTheWindowIsInfinite(t *testing.T) {
	t.Parallel()
	s := newShop(t, stock, stockFlow)
	s.LateArrival = &config.Window{Infinite: true}
	s.triggered()
	s.eventually(tombstones, "1")
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES ('tea', 2, 15, false)")
	s.triggered()
	s.eventually(tombstones, "1")
	s.eventually("SELECT qty::text FROM dw.stock")
}
