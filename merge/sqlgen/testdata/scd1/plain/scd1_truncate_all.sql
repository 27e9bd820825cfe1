DELETE FROM "crm"."users"
