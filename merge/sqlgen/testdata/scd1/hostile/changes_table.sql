CREATE TABLE "my""s"."Größe%s_changes" (
  "__change_id" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "__change_type" text NOT NULL,
  "__change_commit" bigint NOT NULL,
  "__change_ts" timestamptz NOT NULL
)
;
COMMENT ON TABLE "my""s"."Größe%s_changes" IS 'What has changed in "my""s"."Größe%s", by transactions; nothing is ever removed from here but by you.'
