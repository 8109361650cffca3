-- `same` where it is hard: metatables, cycles, depth, size.

case [[return assert.same({},setmetatable({},{__index={1}}))]] :gives [[{}, {}]]
case [[return assert.same(setmetatable({},{__index={1}}),{1})]] :gives [[{}, {1=1}]]
case [[return assert.same(setmetatable({},{__index=function(t,k) error("idx "..k) end}),{x=1})]] :fails [[idx x]]
case [[assert.same({x=1},setmetatable({},{__index=function(t,k) error("idx "..k) end}))]] :fails [[idx x]]
case [[assert.same(setmetatable({},{__eq=function() error("eq!") end}),{})]] :gives [[]]
case [[local mt={__eq=function() error("eq!") end} assert.same(setmetatable({},mt),setmetatable({},mt))]] :gives [[]]
case [[local mt={__eq=function() return false end} assert.same(setmetatable({1},mt),setmetatable({1},mt))]] :gives [[]]
case [[assert.same(setmetatable({},{__index=function() error("ix") end}),{1})]] :fails [[ix]]
case [[assert.same({1},setmetatable({},{__index=function() error("ix") end}))]] :fails [[ix]]
case [[local function deep(n) local t={} for i=1,n do t={t} end return t end assert.same(deep(10000),deep(10000))]] :gives [[]]
case [[local function deep(n) local t={n} for i=1,n do t={t} end return t end assert.is_not.same(deep(10000),deep(10001))]] :gives [[]]
case [[local s=string.rep("x",1000000) assert.same(s,s)]] :gives [[]]
case [[local x={} x[x]=x assert.same(x,x)]] :gives [[]]
case [[local x={} x[x]=x local y={} y[y]=y assert.same(x,y)]] :fails(not_same([[
(table: 0x…) {
  [table: 0x…] = {
    [table: 0x…] = {
      [table: 0x…] = { ... more } } } }]], [[
(table: 0x…) {
 *[table: 0x…] = {
    [table: 0x…] = {
      [table: 0x…] = { ... more } } } }]]))
case [[local x,y={},{} x.y=y y.x=x local p,q={},{} p.y=q q.x=p assert.same(x,p)]] :gives [[]]
case [[local x={1} x.me=x local ok,e=pcall(assert.same,x,{1}) return (e:gsub("0x%x+","A"))]] :gives [[
'Expected objects to be the same.
Passed in:
(table: A) {
  [1] = 1 }
Expected:
(table: A) {
  [1] = 1
 *[me] = {
    [1] = 1
    [me] = {
      [1] = 1
      [me] = { ... more } } } }']]
case [[assert.same(setmetatable({1},{}),{1})]] :gives [[]]
case [[assert.same(setmetatable({a=1},{__pairs=function() return function() end end}),{a=1})]] :gives [[]]
case [[assert.same(setmetatable({},{__name="Point"}),{1})]] :fails(not_same([[
(table: 0x…) {
 *[1] = 1 }]], "(table: 0x…) { }"))
case [[assert.same(setmetatable({1,2},{__len=function() return 0 end}),{1,3})]] :fails(not_same([[
(table: 0x…) {
  [1] = 1
 *[2] = 3 }]], [[
(table: 0x…) {
  [1] = 1
 *[2] = 2 }]]))
