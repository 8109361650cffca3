-- Computed values in a ring, each of which swallows the error.
-- expect: fine
local o = object {
  a = computed(function(self) local ok, v = pcall(function() return self.b end) return 1 end),
  b = computed(function(self) local ok, v = pcall(function() return self.c end) return 1 end),
  c = computed(function(self) local ok, v = pcall(function() return self.a end) return 1 end),
}
assert(o.a == 1 and o.b == 1 and o.c == 1)
