-- Structures that hold each other very deep, and are then let go of.
-- expect: fine
local depth = 12000
local makers = {
  list = function(x) return list { x } end,
  dict = function(x) return dict { a = x } end,
  object = function(x) return object { a = x } end,
  mixed = function(x) return dict { l = list { object { a = x } } } end,
  ref = function(x) return ref(object { value = x }, "value") end,
  concat = function(x) return concat(x) end,
  slice = function(x) return x:slice(1, 1) end,
  group = function(x) return x:group(function() return 1 end) end,
}
for name, make in pairs(makers) do
  local derived = name == "concat" or name == "slice" or name == "group"
  local x = derived and list { 1 } or object { value = 1 }
  for _ = 1, derived and depth / 4 or depth do x = make(x) end
  x = nil
  for _ = 1, 4 do collectgarbage() end
end
local r = object { value = 1 }
for _ = 1, depth do r = ref(r, "value") end
r = nil
after(0, function() collectgarbage() end)
