-- `has_error`.

case [[assert.has_error()]] :fails [[bad argument #1 to 'error' (function or callable object expected, got nil)]]
case [[assert.has_error(1)]] :fails [[bad argument #1 to 'error' (function or callable object expected, got number)]]
case [[assert.has_error({})]] :fails [[bad argument #1 to 'error' (function or callable object expected, got table)]]
case [[assert.has_error("x")]] :fails [[bad argument #1 to 'error' (function or callable object expected, got string)]]
case [[assert.has_error(nil)]] :fails [[bad argument #1 to 'error' (function or callable object expected, got nil)]]
case [[assert.has_error(function() end)]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(error)]]
case [[assert.has_error(function() end,"x")]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(string) 'x']]
case [[assert.has_error(function() end,nil)]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(error)]]
case [[assert.has_error(function() end,"x","m")]] :fails [[
m
Expected a different error.
Caught:
(no error)
Expected:
(string) 'x']]
case [[assert.has_error(function() error("x",0) end,"y")]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(string) 'y']]
case [[assert.has_error(function() error("x") end,"y")]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(string) 'y']]
case [[assert.has_error(function() error("x") end,"x")]] :gives [[]]
case [[return assert.has_error(function() error("x") end,"x")]] :gives [['x', 'x']]
case [[return assert.has_error(function() error("x") end)]] :gives [['x']]
case [[return assert.has_error(function() error() end)]] :gives [[nil]]
case [[assert.has_no_error(function() error("x") end)]] :fails [[
Expected no error, but caught:
(string) 'x']]
case [[assert.has_no_error(function() error("x",0) end)]] :fails [[
Expected no error, but caught:
(string) 'x']]
case [[assert.has_no_error(function() error({1}) end)]] :fails [[
Expected no error, but caught:
(table: 0x…) {
  [1] = 1 }]]
case [[assert.has_no_error(function() error() end)]] :fails [[
Expected no error, but caught:
(nil)]]
case [[assert.has_no_error(function() error("x") end,"x")]] :fails [[
Expected no error, but caught:
(string) 'x']]
case [[assert.has_no_error(function() error("x",0) end,"x")]] :fails [[
Expected no error, but caught:
(string) 'x']]
case [[assert.has_no_error(function() error("x",0) end,"y")]] :gives [[]]
case [[return assert.has_no_error(function() error("x") end,"y")]] :gives [['x', 'y']]
case [[assert.has_no_error(function() error("x",0) end,"x","m")]] :fails [[
m
Expected no error, but caught:
(string) 'x']]
case [[assert.has_error(function() error("x") end,12)]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(number) 12]]
case [[assert.has_error(function() error({1,{2}}) end,{1,{3}})]] :fails [[
Expected a different error.
Caught:
(table: 0x…) {
  [1] = 1
  [2] = {
    [1] = 2 } }
Expected:
(table: 0x…) {
  [1] = 1
  [2] = {
    [1] = 3 } }]]
case [[assert.has_error(function() error({1}) end,{1,{3}},"m")]] :fails [[
m
Expected a different error.
Caught:
(table: 0x…) {
  [1] = 1 }
Expected:
(table: 0x…) {
  [1] = 1
  [2] = {
    [1] = 3 } }]]
case [[assert.has_error(function() error(1) end,"1")]] :fails [[
Expected a different error.
Caught:
(number) 1
Expected:
(string) '1']]
case [[assert.has_error(function() error("1",0) end,1)]] :gives [[]]
case [[assert.has_error(function() error(1) end,{})]] :fails [[
Expected a different error.
Caught:
(number) 1
Expected:
(table: 0x…) { }]]
case [[assert.has_error(function() local x=nil; x.y=1 end,"foo")]] :fails [[
Expected a different error.
Caught:
(string) 'attempt to index a nil value (local 'x')'
Expected:
(string) 'foo']]
case [[assert.has_error(function() error("a:1: b",0) end,"b")]] :gives [[]]
case [[assert.has_error(function() error("foo:bar:12: b",0) end,"b")]] :gives [[]]
case [[assert.has_error(function() error("foo: b",0) end,"b")]] :fails [[
Expected a different error.
Caught:
(string) 'foo: b'
Expected:
(string) 'b']]
case [[assert.has_error(function() error("foo:1 b",0) end,"b")]] :fails [[
Expected a different error.
Caught:
(string) 'foo:1 b'
Expected:
(string) 'b']]
case [[assert.has_error(function() error("x.lua:1: y.lua:2: b",0) end,"b")]] :fails [[
Expected a different error.
Caught:
(string) 'y.lua:2: b'
Expected:
(string) 'b']]
case [[assert.has_error(function() error("x.lua:1: y.lua:2: b",0) end,"y.lua:2: b")]] :gives [[]]
case [[assert.has_error(function() error("x.lua:1: b\nc",0) end,"b\nc")]] :gives [[]]
case [[assert.has_no_error(function() error("x:1: b\nc",0) end)]] :fails [[
Expected no error, but caught:
(string) 'b
c']]
case [[return assert.has_no_error(function() return 1,2 end)]] :gives [[1]]
case [[return assert.has_error(setmetatable({},{__call=function() error("x",0) end}))]] :gives [['x']]
case [[assert.has_error(function() error(setmetatable({},{__tostring=function() return "ts" end})) end,"u")]] :fails [[
Expected a different error.
Caught:
(table: 0x…) { }
Expected:
(string) 'u']]
case [[return assert.has_error(function() error("x",0) end,"x","m")]] :gives [['x', 'x', 'm']]
case [[return assert.has_error(function() error("x") end,nil,"m")]] :gives [['x', nil, 'm']]
case [[return assert.has_no_error(function() end,nil,"m")]] :gives [[nil, nil, 'm']]
case [[assert.has_error(function() error(1.5) end,"1.5")]] :fails [[
Expected a different error.
Caught:
(number) 1.5
Expected:
(string) '1.5']]
case [[assert.has_error(function() error(true) end,"true")]] :fails [[
Expected a different error.
Caught:
(boolean) true
Expected:
(string) 'true']]
case [[assert.has_error(function() error("true",0) end,true)]] :fails [[
Expected a different error.
Caught:
(string) 'true'
Expected:
(boolean) true]]
case [[assert.has_error(function() error("1.50",0) end,1.5)]] :gives [[]]
case [[assert.has_error(function() error("1.5",0) end,1.5)]] :gives [[]]
case [[assert.has_error(function() error("x.lua:1: 1.5",0) end,1.5)]] :gives [[]]
case [[assert.has_error(function() error("x",1) end,"x:1: x")]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(string) 'x:1: x']]
case [[assert.has_error(function() error({}) end,{})]] :gives [[]]
case [[assert.has_error(function() error(setmetatable({},{__tostring=function() return "a:1: x" end})) end,"x")]] :fails [[
Expected a different error.
Caught:
(table: 0x…) { }
Expected:
(string) 'x']]
case [[assert.has_error(function() error(setmetatable({},{__tostring=function() return "x" end})) end,setmetatable({},{__tostring=function() return "x" end}))]] :gives [[]]
case [[assert.has_error(function() error("x",0) end,setmetatable({},{__tostring=function() return "x" end}))]] :fails [[
Expected a different error.
Caught:
(string) 'x'
Expected:
(table: 0x…) { }]]
case [[assert.has_error(function() error(nil) end,nil)]] :gives [[]]
case [[assert.has_error(function() error("x",0) end,nil)]] :gives [[]]
case [[assert.has_error(function() error(nil) end,"nil")]] :fails [[
Expected a different error.
Caught:
(nil)
Expected:
(string) 'nil']]
case [[assert.has_error(function() error(false) end, nil)]] :gives [[]]
case [[assert.has_error(function() error("\n:1: z",0) end,"z")]] :gives [[]]
case [[assert.has_error(function() error("a\nb:1: z",0) end,"z")]] :gives [[]]
case [[assert.has_error(function() error(":1: z",0) end,"z")]] :gives [[]]
case [[assert.has_error(function() error("a:1:z",0) end,"z")]] :fails [[
Expected a different error.
Caught:
(string) 'a:1:z'
Expected:
(string) 'z']]
case [[assert.has_error(function() error("[string \"x\"]:1: z",0) end,"z")]] :gives [[]]
case [[assert.has_error(function() error("C:\\x.lua:1: z",0) end,"z")]] :gives [[]]
case [[assert.has_error(function() error("see: http://a:80: z",0) end,"z")]] :gives [[]]
case [[assert.has_error(function() error(setmetatable({},{__tostring=function() error"tt" end})) end,"u")]] :fails [[tt]]
case [[assert.message("a").has_error(function() end)]] :fails [[
a
Expected a different error.
Caught:
(no error)
Expected:
(error)]]
case [[return assert.has_error(function() error("1",0) end,1)]] :gives [['1', 1]]
case [[return assert.has_error(function() error("x",0) end,"x",nil)]] :gives [['x', 'x', nil]]
case [[return assert.has_no_error(function() error("q:1: x",0) end,"y")]] :gives [['x', 'y']]
case [[return assert.has_error(function() error(setmetatable({},{__tostring=function() return "zz" end})) end)]] :gives [[{}]]
case [[return assert.has_error(function() error(setmetatable({},{__tostring=function() return "zz" end})) end,"zz","m")]] :gives [['zz', 'zz', 'm']]
case [[assert.errors(1)]] :fails [[bad argument #1 to 'error' (function or callable object expected, got number)]]
case [[assert.has_error(function() error({a={b=1}}) end,{a={b=2}})]] :fails [[
Expected a different error.
Caught:
(table: 0x…) {
  [a] = {
    [b] = 1 } }
Expected:
(table: 0x…) {
  [a] = {
    [b] = 2 } }]]
case [[assert.has_error(function() error("a") end,"b","c","d")]] :fails [[
c
Expected a different error.
Caught:
(string) 'a'
Expected:
(string) 'b']]
case [[assert.has_error(function() error("long\nmsg") end,"b")]] :fails [[
Expected a different error.
Caught:
(string) 'long
msg'
Expected:
(string) 'b']]
case [[assert.has_error(error)]] :gives [[]]
case [[assert.has.errors(function() end)]] :fails [[
Expected a different error.
Caught:
(no error)
Expected:
(error)]]
case [[assert.errors(function() error({}) end)]] :gives [[]]
case [[assert.has_error(function() error("x",0) end,"x","extra")]] :gives [[]]
case [[assert.error(function() error("") end,"")]] :gives [[]]
case [[assert.has_error(function() error("") end,"x")]] :fails [[
Expected a different error.
Caught:
(string) ''
Expected:
(string) 'x']]
case [[assert.has_no.errors(function() error({a=1}) end)]] :fails [[
Expected no error, but caught:
(table: 0x…) {
  [a] = 1 }]]
case [[assert.has_no.error(function() local x=nil; return x.y end)]] :fails [[
Expected no error, but caught:
(string) 'attempt to index a nil value (local 'x')']]
case [[assert.has_no_errors(function() error("a\nb") end)]] :fails [[
Expected no error, but caught:
(string) 'a
b']]
case [[assert.has_error(function() error(setmetatable({},{__eq=function() return true end})) end,{})]] :gives [[]]
case [[assert.has_error(function() error({a={1,2}}) end,{a={1,2}})]] :gives [[]]
case [[assert.has_error(function() error({a={1,2}}) end,{a={1,3}})]] :fails [[
Expected a different error.
Caught:
(table: 0x…) {
  [a] = {
    [1] = 1
    [2] = 2 } }
Expected:
(table: 0x…) {
  [a] = {
    [1] = 1
    [2] = 3 } }]]
case [[assert.has_error(coroutine.wrap(function() error("co") end),"co")]] :gives [[]]
case [[assert.has_error(function() coroutine.yield() end)]] :gives [[]]
case [[assert.has_error(string.rep,"x")]] :fails [[
Expected a different error.
Caught:
(string) 'bad argument #1 to 'string.rep' (string expected, got no value)'
Expected:
(string) 'x']]
case [[assert.has_error(function() string.rep() end, "bad argument #1 to 'rep' (string expected, got no value)")]] :gives [[]]
case [[assert.has_error(function() error(function() end) end,1)]] :fails [[
Expected a different error.
Caught:
function: 0x… @ line 1 in =case.lua
Expected:
(number) 1]]
case [[assert.has_error(io.stdout)]] :fails [[bad argument #1 to 'error' (function or callable object expected, got userdata)]]
case [[assert.has_error(coroutine.create(print))]] :fails [[bad argument #1 to 'error' (function or callable object expected, got thread)]]
case [[local function f() f() end assert.has_error(f)]] :gives [[]]
case [[local function f() return f()+1 end f=f assert.has_error(function() local function g() return g()+1 end g() end)]] :gives [[]]
case [[assert.has_error(function() assert(false) end,"assertion failed!")]] :gives [[]]
case [[assert.has_error(function() assert(nil,"m") end,"m")]] :gives [[]]
case [[assert.has_error(function() assert.is_true(false) end)]] :gives [[]]
case [[assert.has_error(function() assert.is_true(false,"m") end,"m")]] :fails(not_same([[
(boolean) false
Expected:
(boolean) true']], "(string) 'm'", [[
Expected a different error.
Caught:
(string) 'm]]))
case [[assert.message("m").has_error(function() end)]] :fails [[
m
Expected a different error.
Caught:
(no error)
Expected:
(error)]]
