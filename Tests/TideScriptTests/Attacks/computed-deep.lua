-- A chain of computed values that is deeper than the C stack.
-- expect: fine or depth or error "deep"
local previous = object { v = 0 }
for i = 1, 1000 do
  local before = previous
  previous = object { v = computed(function() return before.v + 1 end) }
end
return previous.v
