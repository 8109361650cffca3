-- `near`.

case [[assert.near(1)]] :fails [[the 'near' function requires a minimum of 3 arguments, got: 1]]
case [[assert.near(1,2)]] :fails [[the 'near' function requires a minimum of 3 arguments, got: 2]]
case [[assert.near("a",2,3)]] :fails [[bad argument #1 to 'near' (number or object convertible to a number expected, got (string) 'a')]]
case [[assert.near(1,"b",3)]] :fails [[bad argument #2 to 'near' (number or object convertible to a number expected, got (string) 'b')]]
case [[assert.near(1,2,"c")]] :fails [[bad argument #3 to 'near' (number or object convertible to a number expected, got (string) 'c')]]
case [[assert.near(1,nil,3)]] :fails [[bad argument #2 to 'near' (number or object convertible to a number expected, got (nil))]]
case [[assert.near({},1,3)]] :fails [[bad argument #1 to 'near' (number or object convertible to a number expected, got (table: 0x…) { })]]
case [[return assert.near("1","2","5","m")]] :gives [['1', '2', '5', 'm']]
case [[assert.near("1","2",".5","m")]] :fails [[
m
Expected values to be near.
Passed in:
(string) '2'
Expected:
(string) '1' +/- 0.5]]
case [[assert.near(1,2,0.5)]] :fails [[
Expected values to be near.
Passed in:
(number) 2
Expected:
(number) 1 +/- 0.5]]
case [[assert.is_not.near(1,2,3)]] :fails [[
Expected values to not be near.
Passed in:
(number) 2
Did not expect:
(number) 1 +/- 3]]
case [[assert.near(0/0,0/0,1)]] :fails [[
Expected values to be near.
Passed in:
(number) NaN
Expected:
(number) NaN +/- 1]]
case [[assert.near(1,1.1,0.05)]] :fails [[
Expected values to be near.
Passed in:
(number) 1.1000000000000000888
Expected:
(number) 1 +/- 0.05]]
case [[assert.near(1,1.1,0.2)]] :gives [[]]
case [[assert.near(0,0,0)]] :gives [[]]
case [[assert.near(1,"x",1)]] :fails [[bad argument #2 to 'near' (number or object convertible to a number expected, got (string) 'x')]]
case [[assert.near(1,2,nil)]] :fails [[bad argument #3 to 'near' (number or object convertible to a number expected, got (nil))]]
case [[assert.near(1,math.huge,1)]] :fails [[
Expected values to be near.
Passed in:
(number) Inf
Expected:
(number) 1 +/- 1]]
case [[assert.near(1,0/0,1)]] :fails [[
Expected values to be near.
Passed in:
(number) NaN
Expected:
(number) 1 +/- 1]]
case [[assert.near("0x10",16,0)]] :gives [[]]
case [[assert.is_not_near(1,5,1)]] :gives [[]]
case [[assert.is_not_near(1,1,1,"m")]] :fails [[
m
Expected values to not be near.
Passed in:
(number) 1
Did not expect:
(number) 1 +/- 1]]
case [[assert.near(1,2,-1)]] :fails [[
Expected values to be near.
Passed in:
(number) 2
Expected:
(number) 1 +/- -1]]
case [[assert.near(true,1,1)]] :fails [[bad argument #1 to 'near' (number or object convertible to a number expected, got (boolean) true)]]
case [[assert.near({},{},{})]] :fails [[bad argument #1 to 'near' (number or object convertible to a number expected, got (table: 0x…) { })]]
case [[return assert.near(1,1,0)]] :gives [[1, 1, 0]]
