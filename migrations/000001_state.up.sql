-- What a target remembers. The schema is the first of the search_path.

CREATE TABLE migration (
  version integer PRIMARY KEY
);
COMMENT ON TABLE migration IS 'Migrations that were carried out: each adds its row in its own transaction, so that one that a crash interrupted can be told from one that was only not reported.';
INSERT INTO migration VALUES (1);

CREATE TABLE source (
  pipeline text NOT NULL,
  source text NOT NULL,
  slot text NOT NULL,
  database text NOT NULL,
  system_identifier text NOT NULL,
  timeline integer NOT NULL,
  checkpoint pg_lsn NOT NULL,
  stamp timestamptz NOT NULL,
  fence bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pipeline, source)
) WITH (fillfactor = 50);
COMMENT ON TABLE source IS 'How far the changes of each source have been applied.';
COMMENT ON COLUMN source.checkpoint IS 'end of the last source commit that was applied';
COMMENT ON COLUMN source.stamp IS 'the last __commit_ts that was given';
COMMENT ON COLUMN source.fence IS 'token of the run that may write; each batch locks this row and compares it';

CREATE SEQUENCE fence;
CREATE SEQUENCE batch;
COMMENT ON SEQUENCE batch IS 'numbers the batches of bitemporal targets';

CREATE TABLE target (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schema_name text NOT NULL,
  table_name text NOT NULL,
  kind text NOT NULL,
  in_order boolean NOT NULL,
  definition jsonb NOT NULL,
  forgotten text,
  late_beyond_window bigint NOT NULL DEFAULT 0,
  UNIQUE (schema_name, table_name)
);
COMMENT ON TABLE target IS 'The tables that flows keep current; shadow_<id> and floor_<id> remember what late events of them need.';
COMMENT ON COLUMN target.definition IS 'keys, sequence, tracked columns when the target was deployed';
COMMENT ON COLUMN target.forgotten IS 'the greatest sequence of which something was forgotten after late_arrival_window';
COMMENT ON COLUMN target.late_beyond_window IS 'events that came with a sequence not above it';

CREATE TABLE flow (
  id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  pipeline text NOT NULL,
  flow text NOT NULL,
  source text NOT NULL,
  source_table text NOT NULL,
  target_id bigint NOT NULL REFERENCES target,
  status text NOT NULL,
  position pg_lsn,
  stamp timestamptz,
  fence bigint NOT NULL,
  version text,
  skipped bigint NOT NULL DEFAULT 0,
  error text,
  error_at timestamptz,
  PRIMARY KEY (pipeline, flow)
);
COMMENT ON TABLE flow IS 'The flows of each pipeline and what they are doing.';
COMMENT ON COLUMN flow.position IS 'commits that end at or before it are applied; null: that of the source';
COMMENT ON COLUMN flow.stamp IS 'the __commit_ts that belongs to the position';
COMMENT ON COLUMN flow.source_table IS 'the table that the flow reads; empty for a flow that compares snapshots';
COMMENT ON COLUMN flow.fence IS 'snapshot flows: token of the run that may write, as in source';
COMMENT ON COLUMN flow.version IS 'the last snapshot that was applied, as text of the type of the target''s sequence';
COMMENT ON COLUMN flow.skipped IS 'snapshots that came with a version not above it';

CREATE TABLE copy_point (
  flow_id bigint NOT NULL REFERENCES flow (id) ON DELETE CASCADE,
  position pg_lsn NOT NULL,
  stamp timestamptz NOT NULL,
  horizon text NOT NULL,
  shape text NOT NULL,
  PRIMARY KEY (flow_id, position)
);
COMMENT ON TABLE copy_point IS 'The snapshots that a copy in parts has read from: one, or more if it was interrupted. Kept until the stream has passed the last one.';
COMMENT ON COLUMN copy_point.stamp IS 'the __commit_ts that belongs to the position';
COMMENT ON COLUMN copy_point.horizon IS 'transactions of the source before it had ended at that point';
COMMENT ON COLUMN copy_point.shape IS 'what was read: a copy of something else starts over';

CREATE TABLE copy_part (
  flow_id bigint NOT NULL,
  position pg_lsn NOT NULL,
  table_oid oid NOT NULL,
  file oid NOT NULL,
  pages bigint NOT NULL,
  PRIMARY KEY (flow_id, position, table_oid),
  FOREIGN KEY (flow_id, position) REFERENCES copy_point ON DELETE CASCADE
);
COMMENT ON TABLE copy_part IS 'How far an unfinished copy is in each table of the source.';
COMMENT ON COLUMN copy_part.file IS 'the table''s file: in another one rows are elsewhere';
COMMENT ON COLUMN copy_part.pages IS 'its pages before this one are copied';

CREATE TABLE expectation (
  flow_id bigint NOT NULL REFERENCES flow (id) ON DELETE CASCADE,
  expectation text NOT NULL,
  passed bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (flow_id, expectation)
) WITH (fillfactor = 50);
COMMENT ON TABLE expectation IS 'Rows that flows brought, by whether they were what CONSTRAINT … EXPECT says.';
