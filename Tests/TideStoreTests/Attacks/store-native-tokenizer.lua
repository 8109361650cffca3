-- A tokenizer of full-text search is a pointer that SQLite calls, and that a parameter can set.
-- expect: fine
local db = store.open("attack.db")
local function refused(sql, ...)
  local done, why = pcall(db.run, db, sql, ...)
  assert(not done and tostring(why):find("not for scripts", 1, true), why)
end
refused("SELECT fts3_tokenizer('evil', ?)", { "AAAAAAAA" })
refused("SELECT fts3_tokenizer('simple')")
refused("SELECT hex(FTS3_tokenizer('simple'))")
refused("CREATE VIRTUAL TABLE f USING fts3(x, tokenize=evil)")
refused("CREATE VIRTUAL TABLE f USING fts4(x, tokenize=evil)")
refused("CREATE VIRTUAL TABLE f USING fts5(x, tokenize='evil')")
refused("CREATE VIRTUAL TABLE temp.f USING fts3tokenize('simple')")
assert(not pcall(db.value, db, "SELECT fts5(?)", { 1 }))
