-- Levels: whose line an error is of.

local function level(number)
  return ("(table: 0x…) {\n  [level] = %d }"):format(number)
end

case [[return assert:level(1), assert:get_level(assert:level(2)), assert:get_level({level=3}), assert:get_level(4)]] :gives [[{level=1}, 2, nil, nil]]
case [[assert:level()]] :gives [[]]
case [[return assert:level("x")]] :gives [[{level='x'}]]
case [[
local function f() assert.is_true(false,assert:level(2)) end
local function g() f() end g()]] :fails(not_same("(boolean) false", "(boolean) true", level(2)))
case [[
local function f() assert.is_true(false,"m",assert:level(2)) end
local function g() f() end
 g()]] :fails(not_same("(boolean) false", "(boolean) true", "m"))
case [[
local function f() assert(false,assert:level(2)) end
local function g() f() end
 g()]] :fails [[{level=2}]]
case [[
local function f() assert(false,"m",assert:level(2)) end
local function g() f() end
 g()]] :fails [[m]]
case [[
local function f() assert.same(1,2,assert:level(1)) end
local function g() f() end
 g()]] :fails(not_same("(number) 2", "(number) 1", level(1)))
case [[
local function f() assert.same(1,2,assert:level(0)) end
local function g() f() end
 g()]] :fails(not_same("(number) 2", "(number) 1", level(0)))
case [[
local function f() assert.same(1,2,assert:level(99)) end
local function g() f() end
 g()]] :fails(not_same("(number) 2", "(number) 1", level(99)))
case [[assert.same(1,assert:level(2))]] :fails(not_same(level(2), "(number) 1"))
case [[
local function f() assert.message("m").same(1,2,assert:level(2)) end
local function g() f() end
 g()]] :fails(not_same("(number) 2", "(number) 1", level(2)))
case [[return assert.same(1,1,assert:level(2))]] :gives [[1, 1, {level=2}]]
case [[assert.returned_arguments(2,1,assert:level(2))]] :gives [[]]
