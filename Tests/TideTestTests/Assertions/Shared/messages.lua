-- `message` and messages given to assertions.

case [[assert.message("hi").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "hi"))
case [[assert.message().is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[assert.message(12).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "(number) 12"))
case [[assert.message({}).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "(table: 0x…) { }"))
case [[assert.message("hi").is_true(false,"bye")]] :fails(not_same("(boolean) false", "(boolean) true", "bye"))
case [[assert.message("hi",2).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "hi"))
case [[assert.message("a").message("b").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "b"))
case [[assert.is_not.message("x").same(1,1)]] :fails(same("(number) 1", "(number) 1", "x"))
case [[assert.message(false).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "(boolean) false"))
case [[assert.message(nil).is_true(false,"z")]] :fails(not_same("(boolean) false", "(boolean) true", "z"))
case [[assert.message("m\nn").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", [[
m
n]]))
case [[assert.message("a").same({1},{1},nil)]] :gives [[]]
case [[assert.message("a").returned_arguments(1)]] :fails [[
a
Expected to be called with 1 argument(s), but was called with 0]]
case [[assert.message("m").returned_arguments(3,1)]] :fails [[
m
Expected to be called with 3 argument(s), but was called with 1]]
case [[assert.message("m").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "m"))
case [[assert.message("m").is_not_true(true)]] :fails(same("(boolean) true", "(boolean) true", "m"))
case [[assert.message(nil).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[assert.message("a","b").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "a"))
case [[assert.message("m1").is_true(false,"m2")]] :fails(not_same("(boolean) false", "(boolean) true", "m2"))
case [[assert.message({1}).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", [[
(table: 0x…) {
  [1] = 1 }]]))
case [[assert.message(setmetatable({},{__tostring=function() return "TS" end})).is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "TS"))
case [[assert.message("100%").is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true", "100%"))
case [[assert.is.message("m").same(1,2)]] :fails(not_same("(number) 2", "(number) 1", "m"))
case [[assert.message("m").Not.same(1,1)]] :fails(same("(number) 1", "(number) 1", "m"))
case [[local m=assert.message("m") m.same(1,2)]] :fails(not_same("(number) 2", "(number) 1", "m"))
case [[local m=assert.message("m") m.same(1,1) m.same(1,2)]] :fails(not_same("(number) 2", "(number) 1", "m"))
