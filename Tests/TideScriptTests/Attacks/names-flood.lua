-- Things that are kept by long names: the names are memory of the script's.
-- expect: memory
local long = ("x"):rep(60000)
local makers = {
  function(name) transformer(name, function(value) return value end) end,
  function(name) context(name, function() end) end,
  function(name) context.begin(name) context.finish() end,
  function(name) view.component(name, { view = function() return view.label {} end }) end,
  function(name) class(name) { a = 1 } end,
}
local failed, last = 0, nil
for _, make in ipairs(makers) do
  for i = 1, 1000 do
    local ok, why = pcall(make, long .. i)
    if not ok then
      assert(tostring(why):find("memory", 1, true), why)
      failed, last = failed + 1, why
      break
    end
  end
end
-- The first took all that there is.
assert(failed == #makers)
error(last)
