-- What the files of cases are written with. `check(source, verdict, text)` is called for each case.

local formats = {
  not_same = "Expected objects to be the same.\n"
    .. "Passed in:\n%s\nExpected:\n%s",
  same = "Expected objects to not be the same.\n"
    .. "Passed in:\n%s\nDid not expect:\n%s",
  not_equal = "Expected objects to be equal.\n"
    .. "Passed in:\n%s\nExpected:\n%s",
  equal = "Expected objects to not be equal.\n"
    .. "Passed in:\n%s\nDid not expect:\n%s",
  not_unique = "Expected object to be unique:\n%s",
  not_called_with = "Function was never called with matching arguments.\n"
    .. "Called with (last call if any):\n%s\nExpected:\n%s",
}

-- A function that writes the message of a failed assertion: what the test says itself, which comes
-- last here if at all, stands in front.
local function message(format)
  local _, count = format:gsub("%%s", "")
  return function(...)
    local said = select(count + 1, ...)
    return (said and said .. "\n" or "") .. format:format(...)
  end
end

return function(check)
  local environment = {
    case = function(source)
      return {
        fails = function(_, text)
          check(source, "fails", text)
        end,
        gives = function(_, text)
          check(source, "gives", text)
        end,
      }
    end,
  }
  for name, format in pairs(formats) do
    environment[name] = message(format)
  end
  return environment
end
