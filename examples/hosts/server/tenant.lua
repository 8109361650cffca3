-- What a tenant of the server has written. Each function answers one kind of request.

local served = { count = 0 }

-- Waits for the host's database.
function served.total(first, second)
  served.count = served.count + 1
  return ("%d for %d requests"):format(query(first) + query(second), served.count)
end

function served.forget()
  return "waited for " .. query("never")
end

function served.loop()
  while true do end
end

function served.hoard()
  local all = {}
  while true do all[#all + 1] = ("x"):rep(100000) .. #all end
end

function served.catch()
  while true do pcall(served.hoard) end
end

return served
