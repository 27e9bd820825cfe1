package main

import (
	"context"
	"fmt"
)

// native is a subscription, with or without the trigger that keeps a history.
type native struct {
	b       *bench
	source  string
	history bool

	database, subscription string
	made                   bool
}

func (n *native) name() string {
	if n.history {
		return "native + trigger"
	}
	return "native"
}

func (n *native) dsn() string { return n.database }

func (n *native) now() string {
	if n.history {
		return "(SELECT * FROM item_history WHERE valid_to IS NULL) t"
	}
	return "item t"
}

// setUp makes the tables: a subscription needs them.
func (n *native) setUp(ctx context.Context) (err error) {
	if n.database, err = n.b.database(ctx, 1, "native"); err != nil {
		return err
	}
	n.subscription, n.made = n.b.unique("native"), false
	sql := []string{table}
	if n.history {
		sql = append(sql, historyTrigger)
	}
	return exec1(ctx, n.database, sql...)
}

func (n *native) begin(ctx context.Context) error {
	if n.made {
		return exec1(ctx, n.database, "ALTER SUBSCRIPTION "+n.subscription+" ENABLE")
	}
	n.made = true
	sql := fmt.Sprintf("CREATE SUBSCRIPTION %s CONNECTION '%s' PUBLICATION native", n.subscription, n.source)
	return exec1(ctx, n.database, sql)
}

// end waits until the table follows the stream, after the clock has stopped, and
// until the worker is gone.
func (n *native) end(ctx context.Context) error {
	if err := n.wait(ctx, "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r')"); err != nil {
		return err
	}
	if err := exec1(ctx, n.database, "ALTER SUBSCRIPTION "+n.subscription+" DISABLE"); err != nil {
		return err
	}
	return n.wait(ctx, "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_subscription WHERE pid IS NOT NULL)")
}

func (n *native) wait(ctx context.Context, sql string) error { return waitFor(ctx, n.database, sql) }

func (n *native) drop(ctx context.Context) error {
	return exec1(ctx, n.database, "DROP SUBSCRIPTION "+n.subscription)
}

// historyTrigger is what people write: it closes the row that is open and adds the
// new one. It is made once the table is copied anew, too.
const historyTrigger = `
CREATE TABLE item_history (LIKE item, valid_from timestamptz NOT NULL, valid_to timestamptz, PRIMARY KEY (id, valid_from)) WITH (fillfactor = 85);
CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE public.item_history SET valid_to = clock_timestamp() WHERE id = OLD.id AND valid_to IS NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO public.item_history SELECT NEW.*, clock_timestamp(), NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE OR DELETE ON item FOR EACH ROW EXECUTE FUNCTION keep_history();
ALTER TABLE item ENABLE ALWAYS TRIGGER keep_history`
