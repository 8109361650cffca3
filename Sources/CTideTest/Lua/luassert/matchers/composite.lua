-- Matchers composed of others: `all_of`, `any_of`, `none_of`.

local namespaces = require "luassert.namespaces"
local match = require "luassert.match"
local misuse = require "luassert.misuse"

-- As soon as one matcher returns `stop`, the composite returns `settled`.
local function define(name, called, stop, settled)
  namespaces.provide("matcher", {
    name = name,
    callback = function(_, arguments, level)
      misuse.need(arguments, 1, called, level)
      for i = 1, arguments.n do
        if not match.is_matcher(arguments[i]) then
          misuse.bad_type(1, called, "matcher", type(arguments[i]), level)
        end
      end
      return function(value)
        for _, matcher in ipairs(arguments) do
          if matcher(value) == stop then
            return settled
          end
        end
        return not settled
      end
    end,
  })
end

define("all_of", "all", false, false)
define("any_of", "any", true, true)
define("none_of", "none", true, false)

return true
