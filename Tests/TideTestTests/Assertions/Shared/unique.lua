-- `unique`.

local ones = [[
(table: 0x…) {
  [1] = 1
  [2] = 1 }]]
local tables_of_one = [[
(table: 0x…) {
  [1] = {
    [1] = 1 }
  [2] = {
    [1] = 1 } }]]
local tables_of_one_and_two = [[
(table: 0x…) {
  [1] = {
    [1] = 1 }
  [2] = {
    [1] = 2 } }]]

case [[assert.unique({1,1})]] :fails(not_unique(ones))
case [[assert.unique({{1},{1}})]] :gives [[]]
case [[assert.unique({{1},{1}},true)]] :fails(not_unique(tables_of_one))
case [[assert.unique({{1},{1}},"x")]] :gives [[]]
case [[assert.unique({{1},{1}},"x",true)]] :fails(not_unique(tables_of_one, "x"))
case [[assert.unique({{1},{1}},true,"x")]] :fails(not_unique(tables_of_one, "x"))
case [[assert.unique({{1},{1}},nil,true)]] :gives [[]]
case [[assert.unique({1,1},nil,"m")]] :fails(not_unique(ones, "m"))
case [[assert.unique({a=1,b=1})]] :fails(not_unique([[
(table: 0x…) {
  [a] = 1
  [b] = 1 }]]))
case [[assert.is_not.unique({1,2})]] :fails [[
Expected object to not be unique:
(table: 0x…) {
  [1] = 1
  [2] = 2 }]]
case [[assert.is_not.unique({1,2},true)]] :fails [[
Expected object to not be unique:
(table: 0x…) {
  [1] = 1
  [2] = 2 }]]
case [[assert.is_not.unique({1,2},"mm")]] :fails [[
mm
Expected object to not be unique:
(table: 0x…) {
  [1] = 1
  [2] = 2 }]]
case [[return assert.unique({1,2},true)]] :gives [[{1=1, 2=2}, true]]
case [[assert.unique(setmetatable({},{__len=function() return 3 end}))]] :gives [[]]
case [[return assert.unique({1},"m",true)]] :gives [[{1=1}, 'm', true]]
case [[local mt={__eq=function() return true end} assert.unique({setmetatable({1},mt),setmetatable({2},mt)})]] :fails(not_unique(tables_of_one_and_two))
case [[local mt={__eq=function() return true end} assert.unique({setmetatable({1},mt),setmetatable({2},mt)},true)]] :fails(not_unique(tables_of_one_and_two))
case [[assert.unique({0/0,0/0})]] :gives [[]]
case [[assert.unique({1,1.0})]] :fails(not_unique([[
(table: 0x…) {
  [1] = 1
  [2] = 1.0 }]]))
case [[assert.unique({"1",1})]] :gives [[]]
case [[assert.unique({{},{}},1)]] :gives [[]]
case [[assert.unique({a={1},b={1}},true)]] :fails(not_unique([[
(table: 0x…) {
  [a] = {
    [1] = 1 }
  [b] = {
    [1] = 1 } }]]))
case [[assert.unique({{{1}},{{1}}},true)]] :fails(not_unique([[
(table: 0x…) {
  [1] = {
    [1] = {
      [1] = 1 } }
  [2] = {
    [1] = {
      [1] = 1 } } }]]))
case [[assert.unique({1,2,1},"m",false)]] :fails(not_unique([[
(table: 0x…) {
  [1] = 1
  [2] = 2
  [3] = 1 }]], "m"))
case [[assert.unique({{1},{1}},1,true)]] :fails(not_unique(tables_of_one, "(number) 1"))
case [[assert.unique({{1},{1}},true,nil)]] :fails(not_unique(tables_of_one))
case [[assert.unique({1,1},true,5)]] :fails(not_unique(ones, "(number) 5"))
case [[assert.unique({1,1},5,6)]] :fails(not_unique(ones, "(number) 5"))
case [[assert.unique({1,1},nil,nil)]] :fails(not_unique(ones))
case [[assert.unique({1,1},false,"z")]] :fails(not_unique(ones, "z"))
case [[assert.unique({1,2,3})]] :gives [[]]
case [[assert.unique({})]] :gives [[]]
case [[assert.unique({1,2,1})]] :fails(not_unique([[
(table: 0x…) {
  [1] = 1
  [2] = 2
  [3] = 1 }]]))
case [[assert.unique({"a","b","a"},"m")]] :fails(not_unique([[
(table: 0x…) {
  [1] = 'a'
  [2] = 'b'
  [3] = 'a' }]], "m"))
case [[assert.unique({{1},{2}},true)]] :gives [[]]
case [[assert.is_not.unique({1,1})]] :gives [[]]
case [[assert.is_not.unique({{1},{1}},true)]] :gives [[]]
case [[assert.is_not.unique({{1},{1}})]] :fails [[
Expected object to not be unique:
(table: 0x…) {
  [1] = {
    [1] = 1 }
  [2] = {
    [1] = 1 } }]]
case [[assert.unique({a=1,b=2,c=1})]] :fails(not_unique([[
(table: 0x…) {
  [a] = 1
  [b] = 2
  [c] = 1 }]]))
case [[assert.unique({nil,nil})]] :gives [[]]
case [[assert.unique({false,false})]] :fails(not_unique([[
(table: 0x…) {
  [1] = false
  [2] = false }]]))
case [[assert.unique({0.0,-0.0})]] :fails(not_unique([[
(table: 0x…) {
  [1] = 0.0
  [2] = -0.0 }]]))
case [[assert.unique({print,print})]] :fails(not_unique([[
(table: 0x…) {
  [1] = function: 0x…
  [2] = function: 0x… }]]))
case [[local t={} assert.unique({t,t})]] :fails(not_unique([[
(table: 0x…) {
  [1] = { }
  [2] = { } }]]))
case [[assert.unique({{a={1}},{a={1}}},true)]] :fails(not_unique([[
(table: 0x…) {
  [1] = {
    [a] = {
      [1] = 1 } }
  [2] = {
    [a] = {
      [1] = 1 } } }]]))
case [[assert.unique({1,2},true,"m")]] :gives [[]]
case [[local mt={__eq=function() return false end} assert.unique({setmetatable({1},mt),setmetatable({1},mt)},true)]] :fails(not_unique(tables_of_one))
case [[local mt={__eq=function() return false end} assert.unique({setmetatable({1},mt),setmetatable({1},mt)})]] :gives [[]]
case [[local mt={__eq=function() error("q") end} assert.unique({setmetatable({1},mt),setmetatable({1},mt)})]] :fails [[q]]
