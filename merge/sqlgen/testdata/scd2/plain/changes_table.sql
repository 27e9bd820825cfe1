CREATE TABLE "crm"."users_changes" (
  "__change_id" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "__change_type" text NOT NULL,
  "__change_commit" bigint NOT NULL,
  "__change_ts" timestamptz NOT NULL
)
;
COMMENT ON TABLE "crm"."users_changes" IS 'What has changed in "crm"."users", by transactions; nothing is ever removed from here but by you.'
