CREATE STREAMING TABLE dw.a;
CREATE FLOW a AS AUTO CDC INTO dw.a FROM CHANGES(person) KEYS (id) WITH (cpy = false, adopt = true, truncate = 'no', skip_change_commits = true);
