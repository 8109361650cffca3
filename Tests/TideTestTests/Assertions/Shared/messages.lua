-- `message` and messages given to assertions.

case [[assert.message("hi").is_true(false)]] :fails [[
hi
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message().is_true(false)]] :fails [[
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message(12).is_true(false)]] :fails [[
(number) 12
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message({}).is_true(false)]] :fails [[
(table: 0x…) { }
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("hi").is_true(false,"bye")]] :fails [[
bye
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("hi",2).is_true(false)]] :fails [[
hi
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("a").message("b").is_true(false)]] :fails [[
b
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.is_not.message("x").same(1,1)]] :fails [[
x
Expected objects to not be the same.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.message(false).is_true(false)]] :fails [[
(boolean) false
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message(nil).is_true(false,"z")]] :fails [[
z
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("m\nn").is_true(false)]] :fails [[
m
n
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("a").same({1},{1},nil)]] :gives [[]]
case [[assert.message("a").returned_arguments(1)]] :fails [[
a
Expected to be called with 1 argument(s), but was called with 0]]
case [[assert.message("m").returned_arguments(3,1)]] :fails [[
m
Expected to be called with 3 argument(s), but was called with 1]]
case [[assert.message("m").is_true(false)]] :fails [[
m
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("m").is_not_true(true)]] :fails [[
m
Expected objects to not be the same.
Passed in:
(boolean) true
Did not expect:
(boolean) true]]
case [[assert.message(nil).is_true(false)]] :fails [[
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("a","b").is_true(false)]] :fails [[
a
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("m1").is_true(false,"m2")]] :fails [[
m2
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message({1}).is_true(false)]] :fails [[
(table: 0x…) {
  [1] = 1 }
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message(setmetatable({},{__tostring=function() return "TS" end})).is_true(false)]] :fails [[
TS
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.message("100%").is_true(false)]] :fails [[
100%
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[assert.is.message("m").same(1,2)]] :fails [[
m
Expected objects to be the same.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[assert.message("m").Not.same(1,1)]] :fails [[
m
Expected objects to not be the same.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[local m=assert.message("m") m.same(1,2)]] :fails [[
m
Expected objects to be the same.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[local m=assert.message("m") m.same(1,1) m.same(1,2)]] :fails [[
m
Expected objects to be the same.
Passed in:
(number) 2
Expected:
(number) 1]]
