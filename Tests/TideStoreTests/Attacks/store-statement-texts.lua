-- Statements with long comments behind them, of which each database keeps a hundred ready.
-- expect: memory or error "memory"
local kept, comment = {}, ("x"):rep(900000)
for database = 1, 1000 do
  local db = store.open("attack" .. database .. ".db")
  kept[database] = db
  for index = 1, 99 do db:run("SELECT " .. index .. "; --" .. comment) end
end
