-- A function statement would take the place of a constant, which the code holds in several places.
-- expect: fine
for _, attribute in ipairs { "const", "close" } do
  for _, value in ipairs { "10", "nil", "{}", "'text'" } do
    local head = ("local foo <%s> = %s "):format(attribute, value)
    assert(not load(head .. "function foo() end"))
    assert(not load(head .. "return function() function foo() end end"))
    assert(not load(head .. "foo = 1"))
    assert(load(head .. "local function foo() end return foo"))
    assert(load(head .. "for foo = 1, 2 do local x = foo end"))
  end
end
local t = load("local foo <const> = {} function foo.bar() return foo end return foo.bar()")()
assert(type(t.bar) == "function")
