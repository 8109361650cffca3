-- Pragmas that set something, by every way in which they can be written.
-- expect: fine
local db = store.open("attack.db")
db:migrate { "CREATE TABLE entry (n)" }
for _, sql in ipairs { "PRAGMA writable_schema = 1", "PRAGMA main.writable_schema(on)", "PRAGMA user_version = 7",
  "PRAGMA user_version(7)", "PRAGMA trusted_schema = 1", "PRAGMA journal_mode = OFF", "PRAGMA mmap_size = 1000000",
  "PRAGMA temp_store_directory = '/'", "PRAGMA data_store_directory = '/'", "PRAGMA hard_heap_limit = 1000000000",
  "PRAGMA soft_heap_limit = 1", "PRAGMA threads = 8", "PRAGMA cache_size = 1000000", "PRAGMA page_size = 512",
  "PRAGMA encoding = 'UTF-16'", "PRAGMA cell_size_check = 0", "PRAGMA query_only = 1", "PRAGMA case_sensitive_like = 1",
  "PRAGMA schema_version = 1", "PRAGMA application_id = 1", "PRAGMA wal_checkpoint", "PRAGMA locking_mode = EXCLUSIVE",
  "PRAGMA database_list", "PRAGMA module_list", "PRAGMA pragma_list", "PRAGMA vdbe_trace = 1", "PRAGMA parser_trace = 1",
  "SELECT * FROM pragma_database_list", "SELECT * FROM pragma_temp_store_directory('/')",
  "UPDATE sqlite_master SET sql = 'x'", "DELETE FROM sqlite_schema", "INSERT INTO sqlite_schema VALUES (1, 2, 3, 4, 5)" } do
  assert(not pcall(db.run, db, sql), sql)
end
assert(db:value("PRAGMA user_version").value == 1)
assert(db:value("SELECT name FROM pragma_table_info('entry')").value == "n")
for _, name in ipairs { "integrity_check", "quick_check", "foreign_key_check", "optimize" } do
  assert(not pcall(db.value, db, "SELECT count(*) FROM pragma_" .. name), name)
  assert(not pcall(db.value, db, "SELECT * FROM pragma_" .. name .. "('entry')"), name)
end
