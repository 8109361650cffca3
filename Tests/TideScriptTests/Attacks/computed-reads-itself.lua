-- A computed value that reads itself.
-- expect: error "depend on each other"
local o = object { v = computed(function(self) return self.v end) }
return o.v
