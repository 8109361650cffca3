-- An iterator that is called after its end, in other coroutines, and by its own loop.
-- expect: fine
local next_word = ("a b c"):gmatch("%a")
assert(coroutine.wrap(next_word)() == "a")
assert(coroutine.wrap(function() return next_word() end)() == "b")
assert(next_word() == "c")
assert(next_word() == nil and next_word() == nil)
local held
for w in ("x y"):gmatch("%a") do held = ("p q"):gmatch("%a") end
collectgarbage()
assert(held() == "p")
