-- Constructors of tables with very many fields of every sort.
-- expect: fine or time or memory
local function check(field, count, length)
  local f, message = load("local n, x = ... return {" .. field:rep(count) .. "}")
  if not f then assert(message:find "overflow" or message:find "too", message) return end
  local t = f(nil, 1)
  assert(length(t) <= count)
end
local function border(t) return #t end
check("nil,", 100000, border)
check("n,", 100000, border)
check("x,", 100000, border)
check("[1]=x,", 100000, border)
check("a=x,", 100000, border)
check("x,nil,[x]=n or x,", 50000, function(t) return #t // 3 end)
