-- Selections of selections, deeper than the stack of the process.
-- expect: fine
local last = controller.object { content = object { a = 1 } }
for _ = 1, 10000 do last = controller.object { content = last.selection } end
print(pcall(function() return last.selection.a end))
print(pcall(function() last.selection.a = 2 end))
