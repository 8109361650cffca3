-- The outcome of a test or a block: success, pending, failure or error.
--
--   local outcome = status "success"
--   outcome:update "failure"
--   outcome:failure()          --> true

local known = {
  success = "success",
  pending = "pending",
  failure = "failure",
  error = "error",
  ["true"] = "success",
  ["false"] = "failure",
  -- The status of a hook that returns nothing.
  ["nil"] = "error",
}

local function outcome(value)
  return known[tostring(value)] or "error"
end

return function(initial)
  local current = outcome(initial)
  local status = {}

  for _, name in ipairs { "success", "pending", "failure", "error" } do
    status[name] = function()
      return current == name
    end
  end

  function status.get()
    return current
  end

  function status.set(_, value)
    current = outcome(value)
  end

  -- The first failure or error stays; pending stays unless something fails.
  function status.update(_, value)
    local later = outcome(value)
    local open = current == "success" or current == "pending"
    if open and later ~= "success" then
      current = later
    end
  end

  return setmetatable(status, {
    __index = {},
    __tostring = function()
      return current
    end,
  })
end
