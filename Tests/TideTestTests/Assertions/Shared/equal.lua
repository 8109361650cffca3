-- `equal`: the same value.

case [[return assert.truthy.equal(1,1)]] :gives [[1, 1]]
case [[assert.equals(1)]] :fails [[the 'equals' function requires a minimum of 2 arguments, got: 1]]
case [[assert.equals(1,2,3)]] :fails [[
(number) 3
Expected objects to be equal.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[assert.equals({},{})]] :fails [[
Expected objects to be equal.
Passed in:
(table: 0x…) { }
Expected:
(table: 0x…) { }]]
case [[assert.equals(1,1.5)]] :fails [[
Expected objects to be equal.
Passed in:
(number) 1.5
Expected:
(number) 1]]
case [[return select("#",assert.equal(nil,nil,nil))]] :gives [[3]]
case [[assert.equal(1)]] :fails [[the 'equals' function requires a minimum of 2 arguments, got: 1]]
case [[return assert.equals(0.0,-0.0)]] :gives [[0.0, -0.0]]
case [[local mt={__eq=function() error("eq!") end} assert.equals(setmetatable({},mt),setmetatable({},mt))]] :fails [[eq!]]
case [[assert.equals(setmetatable({},{__eq=function() error("eq") end}),setmetatable({},{__eq=function() error("eq2") end}))]] :fails [[eq]]
case [[assert.equal(0/0,0/0)]] :fails [[
Expected objects to be equal.
Passed in:
(number) NaN
Expected:
(number) NaN]]
case [[assert.equal(-0.0,0)]] :gives [[]]
case [[assert.equal("a\0b","a\0c")]] :fails "Expected objects to be equal.\nPassed in:\n(string) 'a\0c'\nExpected:\n(string) 'a\0b'"
case [[assert.equals(setmetatable({},{__eq=function() return true end}),setmetatable({},{__eq=function() return true end}))]] :gives [[]]
case [[assert.are.equal(1,2)]] :fails [[
Expected objects to be equal.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[assert.are_equal("a","b")]] :fails [[
Expected objects to be equal.
Passed in:
(string) 'b'
Expected:
(string) 'a']]
case [[assert.are_not_equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.are.Not.equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.not_equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.no.equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.has.no.equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.does_not.equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.was_not.equal(1,1)]] :fails [[
Expected objects to not be equal.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.not_not_equal(1,2)]] :fails [[
Expected objects to be equal.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[assert.is_equal(nil,false,"m")]] :fails [[
m
Expected objects to be equal.
Passed in:
(boolean) false
Expected:
(nil)]]
case [[return assert.equal(nil,nil,"m")]] :gives [[nil, nil, 'm']]
case [[assert.equal()]] :fails [[the 'equals' function requires a minimum of 2 arguments, got: 0]]
case [[return assert.are.equal(1,1,nil)]] :gives [[1, 1, nil]]
