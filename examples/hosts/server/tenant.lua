-- What a tenant of the server has written. Each function answers one kind of request.

local app = { count = 0 }

-- Waits for the host's database.
function app.total(first, second)
  app.count = app.count + 1
  return ("%d for %d requests"):format(query(first) + query(second), app.count)
end

function app.forget()
  return "waited for " .. query("never")
end

function app.loop()
  while true do end
end

function app.hoard()
  local all = {}
  while true do all[#all + 1] = ("x"):rep(100000) .. #all end
end

function app.catch()
  while true do pcall(app.hoard) end
end

return app
