package mysql

import (
	"context"
	"fmt"
	"time"
)

// killTimeout bounds the whole of a kill: a server out of reach has lost the
// connection anyway.
const killTimeout = 5 * time.Second

// killQuery ends the query that runs at the server, not the transaction: what is
// still to come of its rows is an error then. A user may end their own.
func (c *Conn) killQuery() error { return c.kill("KILL QUERY") }

// killConnection ends what the server does for a connection that we have given
// up; it would notice by itself only when it has rows to send. There is nothing
// to do about a failure.
func (c *Conn) killConnection() { _ = c.kill("KILL") }

// kill asks by another connection, since ours is busy. It makes sure that this
// one reached the same server: ids of another's mean somebody else.
func (c *Conn) kill(command string) error {
	if c.server.host == "" {
		return nil // not yet identified, and nothing long was asked
	}
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	side := &Conn{cfg: c.cfg.Clone(), log: &lostCause{}}
	side.cfg.Logger = side.log
	var err error
	if side.conn, err = side.connect(ctx); err != nil {
		return err
	}
	defer side.conn.Close()
	if err := side.identify(ctx); err != nil {
		return err
	}
	if side.server.host != c.server.host {
		return fmt.Errorf("reached %s instead of %s", side.server.host, c.server.host)
	}
	return side.exec(ctx, fmt.Sprintf("%s %d", command, c.server.connection))
}
