-- A controller whose content is its own selection, or that of another which holds the first one's.
-- expect: fine
local function isRound(selection)
  for _, work in ipairs {
    function() return selection.a end,
    function() selection.a = 1 end,
    function() return observe(selection, "a", function() end) end,
  } do
    local ok, why = pcall(work)
    if not ok then assert(tostring(why):find("leads back to itself"), why) end
  end
  assert(not pcall(function() return selection.a end))
end
local one = controller.object {}
one.content = one.selection
isRound(one.selection)
local first, second = controller.object {}, controller.object {}
first.content, second.content = second.selection, first.selection
isRound(first.selection)
isRound(second.selection)
local rows = controller.list { content = list { 1 } }
rows.content:append(rows.selection)
rows:setSelectionIndex(2)
isRound(rows.selection)
