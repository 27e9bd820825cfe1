package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is what a connection tells about its server and role. SystemID and
// timeline come from replication.IdentifySystem.
type Server struct {
	Version           int // server_version_num, 150018
	VersionText       string
	Database          string
	Encoding          string
	InRecovery        bool
	WALLevel          string
	MaxSlots          int
	UsedSlots         int
	MaxWalsenders     int
	UsedWalsenders    int
	WalSenderTimeout  time.Duration // 0: none
	MaxSlotKeepSizeMB int           // max_slot_wal_keep_size; -1: unlimited
	Role              string
	Superuser         bool
	Replication       bool // may open replication connections: attribute, superuser, or a provider's role
	BypassRLS         bool
	CreateInDatabase  bool // may make publications (and schemas)
	Clock             time.Time
}

const serverQuery = `
SELECT current_setting('server_version_num')::int, current_setting('server_version'), current_database()::text,
	current_setting('server_encoding'), pg_is_in_recovery(), current_setting('wal_level'),
	current_setting('max_replication_slots')::int, (SELECT count(*) FROM pg_replication_slots)::int,
	current_setting('max_wal_senders')::int, (SELECT count(*) FROM pg_stat_replication)::int,
	(SELECT setting::int FROM pg_settings WHERE name = 'wal_sender_timeout'),
	(SELECT setting::int FROM pg_settings WHERE name = 'max_slot_wal_keep_size'),
	r.rolname::text, r.rolsuper,
	r.rolsuper OR r.rolreplication OR EXISTS (
		SELECT FROM pg_roles m
		WHERE m.rolname IN ('rds_replication', 'rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin', 'alloydbsuperuser')
			AND pg_has_role(m.oid, 'USAGE')
	),
	r.rolsuper OR r.rolbypassrls,
	has_database_privilege(current_database(), 'CREATE'),
	clock_timestamp()
FROM pg_roles r
WHERE r.rolname = current_user`

// ServerInfo reads it in one query.
func ServerInfo(ctx context.Context, conn *pgx.Conn) (Server, error) {
	var s Server
	var timeout int
	err := conn.QueryRow(ctx, serverQuery).Scan(&s.Version, &s.VersionText, &s.Database,
		&s.Encoding, &s.InRecovery, &s.WALLevel, &s.MaxSlots, &s.UsedSlots, &s.MaxWalsenders, &s.UsedWalsenders,
		&timeout, &s.MaxSlotKeepSizeMB, &s.Role, &s.Superuser, &s.Replication, &s.BypassRLS, &s.CreateInDatabase, &s.Clock)
	if err != nil {
		return s, fmt.Errorf("read the server's settings: %w", err)
	}
	s.WalSenderTimeout = time.Duration(timeout) * time.Millisecond
	s.Clock = s.Clock.UTC()
	return s, nil
}
