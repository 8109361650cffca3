-- Computed values that write what they and others read.
-- expect: error "" or time or fine
local o
o = object {
  n = 0, v = computed(function(self) self.n = self.n + 1 return self.n end),
  w = computed(function(self) self.n = self.n + 1 return self.v end),
}
effect(function() local v = o.v end)
for i = 1, 10 do local v, w = o.v, o.w o.n = i end
