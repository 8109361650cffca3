-- Settings whose initial values contain themselves, or nest deeper than a stack.
-- expect: fine or memory or time
local loop = list {}
loop:append(loop)
local first = controller.settings { name = "loop", initialValues = { value = loop } }
assert(first.values.value[1] == loop)
first.values.other = loop
local named = dict {}
named.self = named
local second = controller.settings { name = "named", initialValues = named }
assert(second.values.self ~= nil)
local deep = list {}
for _ = 1, 200000 do deep = list { deep } end
local third = controller.settings { name = "deep", initialValues = { value = deep } }
assert(third.values.value ~= nil)
