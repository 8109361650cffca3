-- Functions that SQLite has beside those of the list, also of a build that we do not know.
-- expect: fine
local db = store.open("attack.db")
local listed = {}
local names = db:list("SELECT DISTINCT name, narg FROM pragma_function_list ORDER BY name")
assert(#names > 100)
local refusals = 0
for index = 1, #names do
  local name, count = names[index].name, names[index].narg
  local arguments = {}
  for number = 1, count < 0 and 1 or count do arguments[number] = "1" end
  local call = ('"%s"(%s)'):format(name, table.concat(arguments, ", "))
  if not name:find("^[-]") then
    local done, why = pcall(db.run, db, "SELECT " .. call)
    if not done and tostring(why):find("not for scripts", 1, true) then refusals = refusals + 1 end
  end
end
assert(refusals > 10, refusals)
for _, call in ipairs { "load_extension('evil')", "fts3_tokenizer('simple')", "matchinfo('x')", "snippet('x')",
  "optimize('x')", "offsets('x')", "rtreenode(2, x'00')", "rtreedepth(x'00')", "rtreecheck('x')", "fts5_source_id()",
  "json_patch('{}', '{}')", "sqlite_source_id()", "sqlite_compileoption_get(1)", "sqlite_log(1, 'x')", "match(1, 2)" } do
  local done, why = pcall(db.run, db, "SELECT " .. call)
  assert(not done and (tostring(why):find("not for scripts", 1, true) or tostring(why):find("cannot be loaded", 1, true)), why)
end
