-- A transformer that unbinds everything, itself included.
-- expect: fine
local a = object { n = 0 }
local targets = {}
transformer("cut", function(v) if v == 5 then unbind(a) end return v end)
for i = 1, 10 do
  targets[i] = object { n = 0 }
  bind("n -> n | cut", a, targets[i])
end
a.n = 5
a.n = 6
for i = 1, 10 do assert(targets[i].n ~= 6) end
