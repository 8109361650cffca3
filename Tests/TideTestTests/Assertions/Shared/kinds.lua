-- What a single value is.

case [[assert.falsy.truthy(false)]] :fails [[
Expected to be truthy, but value was:
(boolean) false]]
case [[assert.falsy.truthy(true)]] :gives [[]]
case [[
local function f() return assert.is_true(false) end
local x=f()]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[
local function f() assert.is_true(false) end
local x=f()]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[
local function f(...) assert.is_true(...) end
f(false,"msg")]] :fails(not_same("(boolean) false", "(boolean) true", "msg"))
case [[
local function f() assert.is_true() end
f()]] :fails(not_same("(nil)", "(boolean) true"))
case [[assert.is_true()]] :fails(not_same("(nil)", "(boolean) true"))
case [[assert.is_nil()]] :gives [[]]
case [[assert.is_string()]] :fails(not_same("(nil)", "type string"))
case [[assert.truthy()]] :fails [[the 'truthy' function requires a minimum of 1 arguments, got: 0]]
case [[return assert.is_string("x","m",3)]] :gives [['x', 'm', 3]]
case [[assert.is_string(1,"m",3)]] :fails(not_same("(number) 1", "type string", "m"))
case [[assert.is_not.string("x","m",3)]] :fails(same("(string) 'x'", "type string", "m"))
case [[assert.is_not.table({})]] :fails(same("(table: 0x…) { }", "type table"))
case [[assert.is_not_truthy(1)]] :fails [[
Expected to not be truthy, but value was:
(number) 1]]
case [[assert.is_falsy(1)]] :fails [[
Expected to be falsy, but value was:
(number) 1]]
case [[assert.is_not_falsy(nil)]] :fails [[
Expected to not be falsy, but value was:
(nil)]]
case [[assert.falsy()]] :fails [[the 'falsy' function requires a minimum of 1 arguments, got: 0]]
case [[assert.is_not_true(true)]] :fails(same("(boolean) true", "(boolean) true"))
case [[assert.is_not_false(false)]] :fails(same("(boolean) false", "(boolean) false"))
case [[assert.is_function(1,nil)]] :fails(not_same("(number) 1", "type function"))
case [[assert.is_true(false,"")]] :fails(not_same("(boolean) false", "(boolean) true", ""))
case [[assert.is_true(false,false)]] :fails(not_same("(boolean) false", "(boolean) true", "(boolean) false"))
case [[assert.is_true(false,0)]] :fails(not_same("(boolean) false", "(boolean) true", "(number) 0"))
case [[assert.is_true(false,"a%sb")]] :fails(not_same("(boolean) false", "(boolean) true", "a%sb"))
case [[assert.is_true("%s%d")]] :fails(not_same("(string) '%s%d'", "(boolean) true"))
case [[assert.is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[local ok,e=pcall(assert.is_true,false) return e]] :gives [[
'Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true']]
case [[local c=coroutine.wrap(function() assert.is_true(false) end) c()]] :fails [[
case.lua:1: Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
case [[local t=setmetatable({},{__index=a}) t.is_true(false)]] :fails [[attempt to call a nil value (field 'is_true')]]
case [[return assert.is_true(true,nil,nil)]] :gives [[true, nil, nil]]
case [[return select("#",assert.is_true(true,nil,nil))]] :gives [[3]]
case [[return assert.is_true(1==1 and true or nil)]] :gives [[true]]
case [[assert.is_odd(3)]] :fails [[luassert: unknown modifier/assertion: 'is_odd']]
case [[assert.Is_Odd(3)]] :fails [[luassert: unknown modifier/assertion: 'is_odd']]
case [[assert.IS.Odd(3)]] :fails [[luassert: unknown modifier/assertion: 'is_odd']]
case [[assert.is_true(setmetatable({},{__tostring=function() error("ts") end}))]] :fails(not_same("(table: 0x…) { }", "(boolean) true"))
case [[assert.is_true(false,setmetatable({},{__tostring=function() error("ts") end}))]] :fails [[ts]]
case [[assert.is_true(false,setmetatable({},{__tostring=function() return 5 end}))]] :fails(not_same("(boolean) false", "(boolean) true", "5"))
case [[assert.is_true(false,setmetatable({},{__tostring=5}))]] :fails(not_same("(boolean) false", "(boolean) true", "(table: 0x…) { }"))
case [[assert.truthy(setmetatable({},{__index=error,__eq=error,__tostring=error,__len=error,__pairs=error}))]] :gives [[]]
case [[assert.falsy(setmetatable({},{__index=error,__eq=error,__pairs=error}))]] :fails [[
Expected to be falsy, but value was:
(table: 0x…) { }]]
case [[assert.is_true("true")]] :fails(not_same("(string) 'true'", "(boolean) true"))
case [[assert.is_true(1)]] :fails(not_same("(number) 1", "(boolean) true"))
case [[assert.is_false(nil)]] :fails(not_same("(nil)", "(boolean) false"))
case [[assert.is_false(0)]] :fails(not_same("(number) 0", "(boolean) false"))
case [[assert.is_nil(false)]] :fails(not_same("(boolean) false", "type nil"))
case [[assert.is_nil("x","why")]] :fails(not_same("(string) 'x'", "type nil", "why"))
case [[assert.is_boolean(nil)]] :fails(not_same("(nil)", "type boolean"))
case [[assert.is_number("1")]] :fails(not_same("(string) '1'", "type number"))
case [[assert.is_number(0/0)]] :gives [[]]
case [[assert.is_not_number(0/0)]] :fails(same("(number) NaN", "type number"))
case [[assert.is_string(nil)]] :fails(not_same("(nil)", "type string"))
case [[assert.is_table(nil)]] :fails(not_same("(nil)", "type table"))
case [[assert.is_table(setmetatable({},{__call=print}))]] :gives [[]]
case [[assert.is_function(setmetatable({},{__call=print}))]] :fails(not_same("(table: 0x…) { }", "type function"))
case [[assert.is_userdata(nil)]] :fails(not_same("(nil)", "type userdata"))
case [[assert.is_thread(nil)]] :fails(not_same("(nil)", "type thread"))
case [[assert.is_not_nil(nil)]] :fails(same("(nil)", "type nil"))
case [[assert.is_not_nil(nil,"m")]] :fails(same("(nil)", "type nil", "m"))
case [[assert.is_not_nil()]] :fails(same("(nil)", "type nil"))
case [[assert.is_not_table({1},"m")]] :fails(same([[
(table: 0x…) {
  [1] = 1 }]], "type table", "m"))
case [[assert.is.userdata(io.stdout)]] :gives [[]]
case [[return assert.truthy(1,2,3)]] :gives [[1, 2, 3]]
case [[assert.truthy(false)]] :fails [[
Expected to be truthy, but value was:
(boolean) false]]
case [[assert.truthy(nil,"msg")]] :fails [[
msg
Expected to be truthy, but value was:
(nil)]]
case [[assert.falsy(0)]] :fails [[
Expected to be falsy, but value was:
(number) 0]]
case [[assert.falsy("","msg")]] :fails [[
msg
Expected to be falsy, but value was:
(string) '']]
case [[return assert.falsy(false)]] :gives [[false]]
case [[assert.is_not_falsy(false)]] :fails [[
Expected to not be falsy, but value was:
(boolean) false]]
case [[assert.is.truthy(nil)]] :fails [[
Expected to be truthy, but value was:
(nil)]]
case [[assert.Is.Truthy(1)]] :gives [[]]
case [[assert.IS_NOT_TRUE(1)]] :gives [[]]
case [[assert.is_Not_True(true)]] :fails(same("(boolean) true", "(boolean) true"))
case [[local is=assert.is is.truthy(1) is.truthy(nil)]] :fails [[
Expected to be truthy, but value was:
(nil)]]
case [[local t=assert.is_true t(true) t(true) t(false)]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[assert.is_not_a_thing(1)]] :fails [[luassert: unknown modifier/assertion: 'is_not_a_thing']]
case [[assert.truthy.foo(1)]] :fails [[luassert: unknown modifier/assertion: 'truthy_foo']]
