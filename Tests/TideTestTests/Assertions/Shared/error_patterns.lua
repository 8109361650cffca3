-- `error_matches` and its other names.

case [[assert.error_matches(function() error("x",0) end)]] :fails [[the 'error_matches' function requires a minimum of 2 arguments, got: 1]]
case [[assert.error_matches(1,"x")]] :fails [[bad argument #1 to 'error_matches' (function or callable object expected, got number)]]
case [[assert.error_matches(function() error("x",0) end,"y")]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(string) 'y']]
case [[assert.error_matches(function() error("x",0) end,1)]] :fails [[bad argument #2 to 'error' (string expected, got number)]]
case [[assert.error_matches(function() error("x",0) end,{})]] :fails [[bad argument #2 to 'error' (string expected, got table)]]
case [[assert.error_matches(function() error() end,nil)]] :gives [[]]
case [[assert.error_matches(function() end,nil)]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(nil)]]
case [[assert.error_matches(function() end,"x")]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(string) 'x']]
case [[assert.error_matches(function() error({}) end,"x")]] :fails [[
Expected a different error.
Caught:
(table: 0x…) { }
Expected:
(string) 'x']]
case [[assert.error_matches(function() error("x",0) end,"x","x","x")]] :fails [[bad argument #4 to 'matches' (number expected, got string)]]
case [[assert.error_matches(function() error("xy",0) end,"x",2)]] :fails [[
Expected a different error.
Caught:
(string) 'xy'
Expected:
(string) 'x']]
case [[assert.error_matches(function() error("xy",0) end,"x","2",true)]] :fails [[
Expected a different error.
Caught:
(string) 'xy'
Expected:
(string) 'x']]
case [[assert.error_matches(function() error("xy",0) end,"x",2,true,"m")]] :fails [[
m
Expected a different error.
Caught:
(string) 'xy'
Expected:
(string) 'x']]
case [[assert.no_error_matches(function() error("xy",0) end,"x")]] :fails [[
Expected no error, but caught:
(string) 'xy']]
case [[return assert.error_matches(function() error("xy",0) end,"(x)(y)")]] :gives [['x', 'y']]
case [[return assert.error_matches(function() error("q:1: xy") end,"^xy")]] :fails [[
Expected a different error.
Caught:
(string) 'q:1: xy'
Expected:
(string) '^xy']]
case [[return assert.error_matches(function() error("xy") end,"^xy")]] :gives [['xy']]
case [[return assert.error_matches(function() error("xy") end,"(.*)")]] :gives [['xy']]
case [[assert.error_matches(function() error(nil) end,"x")]] :fails [[
Expected a different error.
Caught:
(nil)
Expected:
(string) 'x']]
case [[assert.error_matches(function() error(true) end,"true")]] :gives [[]]
case [[assert.error_matches(function() error(12) end,"12")]] :gives [[]]
case [[assert.error_matches(function() end, "(")]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(string) '(']]
case [[assert.error_matches(function() end)]] :fails [[the 'error_matches' function requires a minimum of 2 arguments, got: 1]]
case [[return assert.error_matches(function() error("xy",0) end,"x",1,true,"m")]] :gives [['x']]
case [[return assert.no_error_matches(function() error("xy",0) end,"z",1,true,"m")]] :gives [['xy', 'z', 1, true, 'm']]
case [[assert.error_matches(function() error("x.lua:3: z",0) end,"^z")]] :gives [[]]
case [[assert.error_matches(function() error(setmetatable({},{__tostring=function() return "q:1: x" end})) end,"^x")]] :fails [[
Expected a different error.
Caught:
(table: 0x…) { }
Expected:
(string) '^x']]
case [[assert.error_matches(function() error(setmetatable({},{__tostring=function() return 1 end})) end,"x")]] :fails [[
Expected a different error.
Caught:
(table: 0x…) { }
Expected:
(string) 'x']]
case [[assert.error_matches(function() error(setmetatable({},{__tostring=function() error"tt" end})) end,"u")]] :fails [[tt]]
case [[assert.error_matches(function() error("z",0) end,"z","q")]] :gives [[]]
case [[assert.error_matches(function() error("z",0) end,"y",nil,nil,"q")]] :fails [[
q
Expected a different error.
Caught:
(string) 'z'
Expected:
(string) 'y']]
case [[assert.error_matches(function() error("z",0) end,"y",1,"q")]] :fails [[
q
Expected a different error.
Caught:
(string) 'z'
Expected:
(string) 'y']]
case [[assert.error_matches(function() error("z",0) end,"y","q")]] :fails [[
q
Expected a different error.
Caught:
(string) 'z'
Expected:
(string) 'y']]
case [[assert.error_matches(function() error("z",0) end,"y","q",nil)]] :fails [[
q
Expected a different error.
Caught:
(string) 'z'
Expected:
(string) 'y']]
case [[return assert.no_error_matches(function() return 1,2 end,"x")]] :gives [[1, 'x']]
case [[return assert.no_error_matches(function() error(setmetatable({},{__tostring=function() return "zz" end})) end,"y")]] :gives [['zz', 'y']]
case [[return assert.error_matches(function() error(12) end,"(1)(2)")]] :gives [['1', '2']]
case [[return assert.error_matches(function() error(nil) end,nil,5)]] :gives [[]]
case [[return assert.no_error_matches(function() error({}) end,"zz")]] :gives [[{}, 'zz']]
case [[return assert.no_error_matches(function() error(nil) end,"zz")]] :gives [[nil, 'zz']]
case [[return assert.no_error_matches(function() error(nil) end,nil)]] :fails [[
Expected no error, but caught:
(nil)]]
case [[assert.no_error_matches(function() error("x",0) end)]] :fails [[the 'error_matches' function requires a minimum of 2 arguments, got: 1]]
case [[return assert.error_matches(function() error(true) end,"t")]] :gives [['t']]
case [[assert.error_match(1,"x")]] :fails [[bad argument #1 to 'error_matches' (function or callable object expected, got number)]]
case [[assert.match_error(1,"x")]] :fails [[bad argument #1 to 'error_matches' (function or callable object expected, got number)]]
case [[assert.matches_error(1,"x")]] :fails [[bad argument #1 to 'error_matches' (function or callable object expected, got number)]]
case [[assert.error_match(function() end,2)]] :fails [[bad argument #2 to 'error' (string expected, got number)]]
case [[assert.error_matches(function() error("abc") end,"^a")]] :gives [[]]
case [[assert.error_matches(function() error("abc") end,"^b")]] :fails [[
Expected a different error.
Caught:
(string) 'abc'
Expected:
(string) '^b']]
case [[assert.error_matches(function() error("abc",0) end,"B",1,true)]] :fails [[
Expected a different error.
Caught:
(string) 'abc'
Expected:
(string) 'B']]
case [[assert.error_matches(function() error("a.c",0) end,".",1,true)]] :gives [[]]
case [[assert.has_error_matching(error)]] :fails [[luassert: unknown modifier/assertion: 'has_error_matching']]
case [[assert.error.matches(function() error("abc") end,"b")]] :gives [[]]
case [[assert.no.error.matches(function() error("abc") end,"b")]] :fails [[
Expected no error, but caught:
(string) 'abc']]
case [[assert.has_no.error_match(function() error("abc") end,"z")]] :gives [[]]
case [[assert.matches_error(function() error("abc") end,"b")]] :gives [[]]
case [[assert.error_matches(function() error("abc") end,"(")]] :fails [[unfinished capture]]
case [[assert.error_matches(nil,"x")]] :fails [[bad argument #1 to 'error_matches' (function or callable object expected, got nil)]]
case [[assert.error_matches(function() error(nil) end, "nil")]] :fails [[
Expected a different error.
Caught:
(nil)
Expected:
(string) 'nil']]
case [[assert.error_matches(function() error({1}) end,"1","mess")]] :fails [[
mess
Expected a different error.
Caught:
(table: 0x…) {
  [1] = 1 }
Expected:
(string) '1']]
case [[assert.error_matches(function() error("x",0) end,"y",0)]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(string) 'y']]
case [[assert.error_matches(function() error("x",0) end,"y",-1)]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(string) 'y']]
case [[assert.error_matches(function() error("x\ny",0) end,"y$")]] :gives [[]]
