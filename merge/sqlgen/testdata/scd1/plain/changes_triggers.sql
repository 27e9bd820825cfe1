-- The values of all columns before and after, and the transaction that changed them.
CREATE OR REPLACE FUNCTION "autocdc"."changes_7"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $record$
BEGIN
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    INSERT INTO "crm"."users_changes" ("__change_type", "__change_commit", "__change_ts", "id", "name", "city")
    SELECT CASE TG_OP WHEN 'DELETE' THEN 'delete' ELSE 'update_preimage' END, CAST(CAST(pg_current_xact_id() AS text) AS bigint), now(), o."id", o."name", o."city"
    FROM old_rows AS o;
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    INSERT INTO "crm"."users_changes" ("__change_type", "__change_commit", "__change_ts", "id", "name", "city")
    SELECT CASE TG_OP WHEN 'INSERT' THEN 'insert' ELSE 'update_postimage' END, CAST(CAST(pg_current_xact_id() AS text) AS bigint), now(), n."id", n."name", n."city"
    FROM new_rows AS n;
  END IF;
  RETURN NULL;
END
$record$
;
CREATE OR REPLACE TRIGGER "__changes_insert" AFTER INSERT ON "crm"."users" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "autocdc"."changes_7"()
;
CREATE OR REPLACE TRIGGER "__changes_update" AFTER UPDATE ON "crm"."users" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "autocdc"."changes_7"()
;
CREATE OR REPLACE TRIGGER "__changes_delete" AFTER DELETE ON "crm"."users" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "autocdc"."changes_7"()
