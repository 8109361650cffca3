-- A computed value that makes and reads another one like itself.
-- expect: time or memory or depth or error "deep" or error "stack overflow"
local function make() return object { v = computed(function() return make().v end) } end
return make().v
