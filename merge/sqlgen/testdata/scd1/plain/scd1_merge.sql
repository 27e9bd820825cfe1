-- Parameter $1: the end of the source transaction, for events staged before it was known.
MERGE INTO "crm"."users" AS t
USING "pg_temp"."events_7" AS s
ON t."id" = s."id"
WHEN MATCHED AND s."__kind" = 'd' THEN
  DELETE
WHEN MATCHED THEN
  UPDATE SET "id" = s."id", "name" = s."name", "city" = s."city", "__sequence" = s."__seq"
WHEN NOT MATCHED AND s."__kind" = 'u' THEN
  INSERT ("id", "name", "city", "__sequence")
  VALUES (s."id", s."name", s."city", s."__seq")
