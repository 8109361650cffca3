-- Differences that lie deeper than tables are shown, and values that are too long to be shown whole.

local function told(difference, ...)
  return not_same(...) .. "\nThe difference, from what was expected (-) to what was passed in (+):\n"
    .. difference
end

case [[assert.same({a={b={c={d={e=1}}}}},{a={b={c={d={e=2}}}}})]] :fails(told([[
at a.b.c.d.e
- (number) 1
+ (number) 2]], [[
(table: 0x…) {
 *[a] = {
   *[b] = {
     *[c] = {
       *[d] = {
         *[e] = 2 } } } } }]], [[
(table: 0x…) {
 *[a] = {
   *[b] = {
     *[c] = {
       *[d] = {
         *[e] = 1 } } } } }]]))
case [[assert:set_parameter("TableFormatLevel",0) assert.same({{1}},{{2}})]] :fails(told([[
at [1][1]
- (number) 1
+ (number) 2]], [[
(table: 0x…) {
 *[1] = {
   *[1] = 2 } }]], [[
(table: 0x…) {
 *[1] = {
   *[1] = 1 } }]]))
case [[local x,y={},{} x.y=y y.x=x local p,q={},{} p.y=q q.x=p q.z=1 assert.same(x,p)]] :fails(told([[
at y.z
- (nil)
+ (number) 1]], [[
(table: 0x…) {
 *[y] = {
    [x] = { ... }
   *[z] = 1 } }]], [[
(table: 0x…) {
 *[y] = {
    [x] = { ... }
   *[z] = nil } }]]))
case [[local function deep(n,v) local t={v} for i=1,n do t={t} end return t end local ok,e=pcall(assert.same,deep(10000,1),deep(10000,2)) return e:match "at %[.*$", #e < 1000]] :gives [[
'at [1][1][1] … 9995 more … [1][1][1]
- (number) 1
+ (number) 2', true]]
case [[local t={} for i=1,10000 do t[i]=i end local u={} for i=1,10000 do u[i]=i end u[10000]=0 local ok,e=pcall(assert.same,t,u) return select(2,e:gsub("\n","")), (e:match("%*%[%d+%] = %d+"))]] :gives [[16, '*[10000] = 0']]
case [[local s=string.rep("x",100000) local ok,e=pcall(assert.same,s.."a",s.."b") return #e < 500, e:match "at byte %d+"]] :gives [[true, 'at byte 100001']]
