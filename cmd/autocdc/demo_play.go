package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"
)

// act is one scene: something happens at the source, and the target tells.
type act struct {
	says    string
	source  string
	arrived string // true on the target when it has come through
	asks    []string
}

func acts() []act {
	return []act{
		{
			says:    "The rows that were there have been copied:",
			arrived: "SELECT (SELECT count(*) = 2 FROM dw.customers) AND (SELECT count(*) = 1 FROM dw.orders_history) AND (SELECT count(*) = 2 FROM dw.prices)",
			asks:    []string{"SELECT id, name, city FROM dw.customers ORDER BY id"},
		},
		{
			says: "Life goes on at the source: a customer moves, one leaves, an order is paid and shipped.",
			source: "BEGIN;\nUPDATE customers SET city = 'Paris' WHERE id = 1;\nDELETE FROM customers WHERE id = 2;\nUPDATE orders SET status = 'paid' WHERE id = 100;\nCOMMIT;\n" +
				"UPDATE orders SET status = 'shipped' WHERE id = 100;",
			arrived: "SELECT count(*) = 3 FROM dw.orders_history",
			asks: []string{
				"SELECT id, name, city FROM dw.customers ORDER BY id",
				"SELECT id, status, __start_at::time, __end_at::time FROM dw.orders_history ORDER BY id, __start_at",
			},
		},
		{
			says: "The price feed brings a price of March, then a late one of February: the history is put right.",
			source: "INSERT INTO price_feed VALUES ('tea', 4.20, '2026-03-01', false);\n" +
				"INSERT INTO price_feed VALUES ('tea', 3.90, '2026-02-01', false), ('coffee', NULL, '2026-02-15', true);",
			arrived: "SELECT count(*) = 4 AND count(*) FILTER (WHERE __end_at IS NULL) = 1 FROM dw.prices",
			asks: []string{
				"SELECT sku, price, __start_at::date, __end_at::date FROM dw.prices ORDER BY sku, __start_at",
				"SELECT sku, price FROM dw.prices WHERE __start_at <= '2026-02-10' AND (__end_at > '2026-02-10' OR __end_at IS NULL) ORDER BY sku",
			},
		},
	}
}

// play runs the acts; with keep it then waits for ctx.
func (d *demo) play(ctx context.Context, keep bool) error {
	for _, a := range acts() {
		if err := d.act(ctx, a); err != nil {
			return err
		}
	}
	if !keep {
		d.say("That was all; the servers are removed. Next: autocdc init --help")
		return nil
	}
	d.say("Still replicating. Change the source, ask the target, end with Ctrl-C:\n  psql %s\n  psql %s",
		d.source.DSN("postgres"), d.target.DSN("postgres"))
	<-ctx.Done()
	return nil
}

func (d *demo) act(ctx context.Context, a act) error {
	d.say("%s\n", a.says)
	if a.source != "" {
		d.say("%s", indent("source=> "+strings.ReplaceAll(a.source, "\n", "\nsource=> ")))
		if err := d.exec(ctx, d.source, a.source); err != nil {
			return err
		}
	}
	if err := d.until(ctx, a.arrived); err != nil {
		return err
	}
	for _, sql := range a.asks {
		if err := d.show(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// show prints a query and its rows.
func (d *demo) show(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, d.target.DSN("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	results, err := conn.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		return err
	}
	d.say("  target=> %s;", sql)
	w := tabwriter.NewWriter(d.out, 0, 0, 3, ' ', 0)
	var heads []string
	for _, f := range results[0].FieldDescriptions {
		heads = append(heads, f.Name)
	}
	fmt.Fprintf(w, "    %s\n", strings.Join(heads, "\t"))
	for _, row := range results[0].Rows {
		fmt.Fprintf(w, "    %s\n", strings.Join(cells(row), "\t"))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

func cells(row [][]byte) []string {
	out := make([]string, len(row))
	for i, v := range row {
		if out[i] = string(v); v == nil {
			out[i] = "∅"
		}
	}
	return out
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
