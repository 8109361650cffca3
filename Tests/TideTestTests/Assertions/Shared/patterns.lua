-- `matches`.

case [[assert.matches("x")]] :fails [[the 'matches' function requires a minimum of 2 arguments, got: 1]]
case [[assert.matches(1,"x")]] :fails [[bad argument #1 to 'matches' (string expected, got number)]]
case [[assert.matches(nil,"x")]] :fails [[bad argument #1 to 'matches' (string expected, got nil)]]
case [[assert.matches("x",{})]] :fails [[bad argument #2 to 'matches' (string or object convertible to a string expected, got (table: 0x…) { })]]
case [[assert.matches("x",nil)]] :fails [[bad argument #2 to 'matches' (string or object convertible to a string expected, got (nil))]]
case [[assert.matches("x",1)]] :fails [[
Expected strings to match.
Passed in:
(number) 1
Expected:
(string) 'x']]
case [[assert.matches("1",1)]] :gives [[]]
case [[assert.matches("s","s","s","s")]] :fails [[bad argument #4 to 'matches' (number expected, got string)]]
case [[assert.matches("s","s","s")]] :gives [[]]
case [[assert.matches("s","s",nil,"s")]] :gives [[]]
case [[assert.matches("(","s")]] :fails [[unfinished capture]]
case [[assert.matches("s","b","2")]] :fails [[
Expected strings to match.
Passed in:
(string) 'b'
Expected:
(string) 's']]
case [[assert.matches("s","b","2",true)]] :fails [[
Expected strings to match.
Passed in:
(string) 'b'
Expected:
(string) 's']]
case [[assert.matches("s","b",2.5)]] :fails [[bad argument #2 to 'match' (number has no integer representation)]]
case [[return assert.matches("s","s",1.0)]] :gives [['s']]
case [[return assert.matches("b","abc",1,true,"m")]] :gives [['b']]
case [[return assert.matches("b",setmetatable({},{__tostring=function() return "abc" end}))]] :gives [['b']]
case [[return assert.is_not.matches("b","c","m")]] :gives [[]]
case [[assert.is_not.matches("b","b","m")]] :fails [[
m
Expected strings not to match.
Passed in:
(string) 'b'
Did not expect:
(string) 'b']]
case [[assert.is_not.matches("b","b",1)]] :fails [[
Expected strings not to match.
Passed in:
(string) 'b'
Did not expect:
(string) 'b']]
case [[assert.matches("b", true)]] :fails [[bad argument #2 to 'matches' (string or object convertible to a string expected, got (boolean) true)]]
case [[assert.matches("b","c","5","6")]] :fails [[
Expected strings to match.
Passed in:
(string) 'c'
Expected:
(string) 'b']]
case [[assert.matches("b","c",nil,nil,"m")]] :fails [[
m
Expected strings to match.
Passed in:
(string) 'c'
Expected:
(string) 'b']]
case [[assert.matches("b","c",1,nil,"m")]] :fails [[
m
Expected strings to match.
Passed in:
(string) 'c'
Expected:
(string) 'b']]
case [[assert.matches("b","c",1,false,"m")]] :fails [[
m
Expected strings to match.
Passed in:
(string) 'c'
Expected:
(string) 'b']]
case [[return match()]] :fails [[attempt to call a table value (global 'match')]]
case [[return assert.matches("x","x","m")]] :gives [['x']]
case [[assert.matches("z","y","q",nil)]] :fails [[
q
Expected strings to match.
Passed in:
(string) 'y'
Expected:
(string) 'z']]
case [[assert.matches("z","y","1","q")]] :fails [[
q
Expected strings to match.
Passed in:
(string) 'y'
Expected:
(string) 'z']]
case [[assert.matches("z","y",1,"q")]] :fails [[
q
Expected strings to match.
Passed in:
(string) 'y'
Expected:
(string) 'z']]
case [[assert.matches("z","y",nil,"q")]] :fails [[
q
Expected strings to match.
Passed in:
(string) 'y'
Expected:
(string) 'z']]
case [[assert.matches("z","y",true,"q")]] :fails [[bad argument #3 to 'matches' (number expected, got boolean)]]
case [[assert.matches("z","y",{})]] :fails [[
(table: 0x…) { }
Expected strings to match.
Passed in:
(string) 'y'
Expected:
(string) 'z']]
case [[assert.matches("z","y",true)]] :fails [[bad argument #3 to 'matches' (number expected, got boolean)]]
case [[assert.matches("z","y",nil,nil,nil)]] :fails [[
Expected strings to match.
Passed in:
(string) 'y'
Expected:
(string) 'z']]
case [[assert.match("x")]] :fails [[the 'matches' function requires a minimum of 2 arguments, got: 1]]
case [[assert.match(1,"x")]] :fails [[bad argument #1 to 'matches' (string expected, got number)]]
case [[assert.matches("a","b","m")]] :fails [[
m
Expected strings to match.
Passed in:
(string) 'b'
Expected:
(string) 'a']]
case [[assert.matches("a*","")]] :gives [[]]
case [[assert.matches("","")]] :gives [[]]
case [[return assert.matches("(assert)(b)?","ab")]] :fails [[
Expected strings to match.
Passed in:
(string) 'ab'
Expected:
(string) '(assert)(b)?']]
case [[return assert.matches("()b","ab")]] :gives [[2]]
case [[assert.matches("%","x")]] :fails [[malformed pattern (ends with '%')]]
case [[assert.matches("[","x")]] :fails [[malformed pattern (missing ']')]]
case [[assert.matches("a","A")]] :fails [[
Expected strings to match.
Passed in:
(string) 'A'
Expected:
(string) 'a']]
case [[assert.has_match("b","abc",3)]] :fails [[
Expected strings to match.
Passed in:
(string) 'abc'
Expected:
(string) 'b']]
case [[assert.has_match("b","abc",-2)]] :gives [[]]
case [[assert.has_match("b","abc",10)]] :fails [[
Expected strings to match.
Passed in:
(string) 'abc'
Expected:
(string) 'b']]
case [[assert.has_no_match("b","abc")]] :fails [[
Expected strings not to match.
Passed in:
(string) 'abc'
Did not expect:
(string) 'b']]
case [[assert.has_no_match("b","abc","m")]] :fails [[
m
Expected strings not to match.
Passed in:
(string) 'abc'
Did not expect:
(string) 'b']]
case [[return assert.has_no_match("z","abc")]] :gives [[]]
case [[assert.matches("\255","\255\254")]] :gives [[]]
case [[assert.match("x", nil)]] :fails [[bad argument #2 to 'matches' (string or object convertible to a string expected, got (nil))]]
case [[assert.match("x", print)]] :fails [[bad argument #2 to 'matches' (string or object convertible to a string expected, got function: 0x… @ line -1 in =[C])]]
case [[assert.matches("f",io.stdout)]] :gives [[]]
case [[assert.matches("1.5",1.5)]] :gives [[]]
case [[assert.matches(".","a.b",nil,true)]] :gives [[]]
case [[return assert.matches(".","a.b",nil,true)]] :gives [['.']]
case [[assert.is_not.matches(".","a.b",nil,true,"m")]] :fails [[
m
Expected strings not to match.
Passed in:
(string) 'a.b'
Did not expect:
(string) '.']]
case [[assert.matches("x",setmetatable({},{__tostring=function() error("ts") end}))]] :fails [[ts]]
case [[assert.matches("x",setmetatable({},{__tostring=function() return {} end}))]] :fails [['__tostring' must return a string]]
