// Package pgtest gives tests real Postgres servers. One server is shared by the
// tests of a package (each in a database of its own) and started when the first
// of them asks; a test that stops or kills its server starts one for itself.
//
// Without a server a test fails; it never skips. The environment decides:
//
//	AUTOCDC_TEST_PG         major version of the shared server (15, or the
//	                        newest one installed where 15 is not)
//	AUTOCDC_TEST_PG_TARGET  version of the server of TargetDatabase (the same)
//	AUTOCDC_TEST_SERVERS    local: installed or fetched binaries;
//	                        docker: containers through testcontainers-go (reviewed,
//	                        not run where this was written);
//	                        unset: local if installed, else docker if an engine
//	                        answers, else binaries are fetched
//
// The shared server lies in memory (/dev/shm) where that has 8 GiB free and TMPDIR
// is not set: a database is made in a fifth of the time. Tests that write
// gigabytes start a server of their own, which lies on disk.
//
// A replication slot waits, when it is made, for every writing transaction of
// the whole server: a parallel test that keeps one open blocks the others'. Such
// a test starts its own server.
package pgtest
