-- `equal`: the same value.

case [[return assert.truthy.equal(1,1)]] :gives [[1, 1]]
case [[assert.equals(1)]] :fails [[the 'equals' function requires a minimum of 2 arguments, got: 1]]
case [[assert.equals(1,2,3)]] :fails(not_equal("(number) 2", "(number) 1", "(number) 3"))
case [[assert.equals({},{})]] :fails(not_equal("(table: 0x…) { }", "(table: 0x…) { }"))
case [[assert.equals(1,1.5)]] :fails(not_equal("(number) 1.5", "(number) 1"))
case [[return select("#",assert.equal(nil,nil,nil))]] :gives [[3]]
case [[assert.equal(1)]] :fails [[the 'equals' function requires a minimum of 2 arguments, got: 1]]
case [[return assert.equals(0.0,-0.0)]] :gives [[0.0, -0.0]]
case [[local mt={__eq=function() error("eq!") end} assert.equals(setmetatable({},mt),setmetatable({},mt))]] :fails [[eq!]]
case [[assert.equals(setmetatable({},{__eq=function() error("eq") end}),setmetatable({},{__eq=function() error("eq2") end}))]] :fails [[eq]]
case [[assert.equal(0/0,0/0)]] :fails(not_equal("(number) NaN", "(number) NaN"))
case [[assert.equal(-0.0,0)]] :gives [[]]
case [[assert.equal("a\0b","a\0c")]] :fails "Expected objects to be equal.\nPassed in:\n(string) 'a\0c'\nExpected:\n(string) 'a\0b'"
case [[assert.equals(setmetatable({},{__eq=function() return true end}),setmetatable({},{__eq=function() return true end}))]] :gives [[]]
case [[assert.are.equal(1,2)]] :fails(not_equal("(number) 2", "(number) 1"))
case [[assert.are_equal("a","b")]] :fails(not_equal("(string) 'b'", "(string) 'a'"))
case [[assert.are_not_equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.are.Not.equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.not_equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.no.equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.has.no.equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.does_not.equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.was_not.equal(1,1)]] :fails(equal("(number) 1", "(number) 1"))
case [[assert.not_not_equal(1,2)]] :fails(not_equal("(number) 2", "(number) 1"))
case [[assert.is_equal(nil,false,"m")]] :fails(not_equal("(boolean) false", "(nil)", "m"))
case [[return assert.equal(nil,nil,"m")]] :gives [[nil, nil, 'm']]
case [[assert.equal()]] :fails [[the 'equals' function requires a minimum of 2 arguments, got: 0]]
case [[return assert.are.equal(1,1,nil)]] :gives [[1, 1, nil]]
