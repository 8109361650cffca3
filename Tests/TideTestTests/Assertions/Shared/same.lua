-- `same`: by content.

case [[local x=assert.is x.same(1,1) x.truthy(false) return x]] :fails [[
Expected to be truthy, but value was:
(boolean) false]]
case [[assert.is.foo.same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is_foo']]
case [[assert.same.foo(1,1)]] :fails [[luassert: unknown modifier/assertion: 'same_foo']]
case [[assert.is_foo_same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is_foo']]
case [[assert.is.not_foo.same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is_not_foo']]
case [[assert.is_same_as(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is_same_as']]
case [[assert.same(1)]] :fails [[the 'same' function requires a minimum of 2 arguments, got: 1]]
case [[assert.same()]] :fails [[the 'same' function requires a minimum of 2 arguments, got: 0]]
case [[assert.same({1,2},{1,3})]] :fails(not_same([[
(table: 0x…) {
  [1] = 1
 *[2] = 3 }]], [[
(table: 0x…) {
  [1] = 1
 *[2] = 2 }]]))
case [[assert.same({1,{2}},{1,{3}},"m")]] :fails(not_same([[
(table: 0x…) {
  [1] = 1
 *[2] = {
   *[1] = 3 } }]], [[
(table: 0x…) {
  [1] = 1
 *[2] = {
   *[1] = 2 } }]], "m"))
case [[assert.same({a={1}},{a=1})]] :fails(not_same([[
(table: 0x…) {
 *[a] = 1 }]], [[
(table: 0x…) {
 *[a] = {
    [1] = 1 } }]]))
case [[assert.same({a={1}},1)]] :fails(not_same("(number) 1", [[
(table: 0x…) {
  [a] = {
    [1] = 1 } }]]))
case [[assert.same({},{a=1})]] :fails(not_same([[
(table: 0x…) {
 *[a] = 1 }]], "(table: 0x…) { }"))
case [[assert.same({a=1},{})]] :fails(not_same("(table: 0x…) { }", [[
(table: 0x…) {
 *[a] = 1 }]]))
case [[assert.same({a={b=1}},{a={}})]] :fails(not_same([[
(table: 0x…) {
 *[a] = { } }]], [[
(table: 0x…) {
 *[a] = {
   *[b] = 1 } }]]))
case [[assert.is_not.same({a={b=1}},{a={b=1}})]] :fails(same([[
(table: 0x…) {
  [a] = {
    [b] = 1 } }]], [[
(table: 0x…) {
  [a] = {
    [b] = 1 } }]]))
case [[assert.same(0/0,0/0)]] :fails(not_same("(number) NaN", "(number) NaN"))
case [[assert.same("a\nb","a\nc")]] :fails(not_same([[
(string) 'a
c']], [[
(string) 'a
b']]))
case [[assert.same(nil,{})]] :fails(not_same("(table: 0x…) { }", "(nil)"))
case [[assert.same({nil,2},{1,2})]] :fails(not_same([[
(table: 0x…) {
 *[1] = 1
  [2] = 2 }]], [[
(table: 0x…) {
  [2] = 2 }]]))
case [[assert.same(1,2,3,4)]] :fails(not_same("(number) 2", "(number) 1", "(number) 3"))
case [[return assert.same(1,1)]] :gives [[1, 1]]
case [[assert.same({[0/0 ~= 0/0]=1},{[true]=1})]] :gives [[]]
case [[assert.same(0/0,1)]] :fails(not_same("(number) 1", "(number) NaN"))
case [[assert.is_not.same(0/0,0/0)]] :gives [[]]
case [[assert.same({0/0},{0/0})]] :fails(not_same([[
(table: 0x…) {
 *[1] = NaN }]], [[
(table: 0x…) {
 *[1] = NaN }]]))
case [[assert.same(-0.0,0.0)]] :gives [[]]
case [[assert.same(1,1.0)]] :gives [[]]
case [[assert.same({1},{1.0})]] :gives [[]]
case [[assert.same(2^53,2^53+1)]] :gives [[]]
case [[assert.same(math.huge,-math.huge)]] :fails(not_same("(number) -Inf", "(number) Inf"))
case [[assert.same("\255\254","\255\253")]] :fails "Expected objects to be the same.\nPassed in:\n(string) '��'\nExpected:\n(string) '��'"
case [[assert.same("\xe4\xb8","x")]] :fails "Expected objects to be the same.\nPassed in:\n(string) 'x'\nExpected:\n(string) '�'"
case "assert.same(\"é\",\"e\\u{301}\")" :fails "Expected objects to be the same.\nPassed in:\n(string) 'é'\nExpected:\n(string) 'é'"
case [[assert.same({["\255"]=1},{["\255"]=2})]] :fails "Expected objects to be the same.\nPassed in:\n(table: 0x…) {\n *[�] = 2 }\nExpected:\n(table: 0x…) {\n *[�] = 1 }"
case [[assert.same({["a b"]=1},{["a b"]=2})]] :fails(not_same([[
(table: 0x…) {
 *[a b] = 2 }]], [[
(table: 0x…) {
 *[a b] = 1 }]]))
case [[assert.same({[""]=1},{})]] :fails(not_same("(table: 0x…) { }", [[
(table: 0x…) {
 *[] = 1 }]]))
case [[assert.same(print,error)]] :fails(not_same("function: 0x… @ line -1 in =[C]", "function: 0x… @ line -1 in =[C]"))
case [[assert.same(coroutine.create(print),1)]] :fails(not_same("(number) 1", "(thread) 'thread: 0x…'"))
case [[assert.same(io.stdout,io.stderr)]] :fails(not_same("(userdata) 'file (0x…)'", "(userdata) 'file (0x…)'"))
case [[assert.same(io.stdout,io.stdout)]] :gives [[]]
case [[assert.same(true,"true")]] :fails(not_same("(string) 'true'", "(boolean) true"))
case [[assert.same(nil,false)]] :fails(not_same("(boolean) false", "(nil)"))
case [[assert.same({},{{}})]] :fails(not_same([[
(table: 0x…) {
 *[1] = { } }]], "(table: 0x…) { }"))
case [[assert.same({{}},{})]] :fails(not_same("(table: 0x…) { }", [[
(table: 0x…) {
 *[1] = { } }]]))
case [[assert.same({1,2,3},{1,2})]] :fails(not_same([[
(table: 0x…) {
  [1] = 1
  [2] = 2 }]], [[
(table: 0x…) {
  [1] = 1
  [2] = 2
 *[3] = 3 }]]))
case [[assert.same({1,2},{1,2,3})]] :fails(not_same([[
(table: 0x…) {
  [1] = 1
  [2] = 2
 *[3] = 3 }]], [[
(table: 0x…) {
  [1] = 1
  [2] = 2 }]]))
case [[assert.same({1,nil,3},{1,nil,3})]] :gives [[]]
case [[assert.same({f=print},{f=error})]] :fails(not_same([[
(table: 0x…) {
 *[f] = function: 0x… }]], [[
(table: 0x…) {
 *[f] = function: 0x… }]]))
case [[assert.same({[print]=1},{[print]=2})]] :fails(not_same([[
(table: 0x…) {
 *[function: 0x…] = 2 }]], [[
(table: 0x…) {
 *[function: 0x…] = 1 }]]))
case [[assert.same({[1.5]=1},{[1.5]=2})]] :fails(not_same([[
(table: 0x…) {
 *[1.5] = 2 }]], [[
(table: 0x…) {
 *[1.5] = 1 }]]))
case [[assert.same({[true]=1},{[false]=1})]] :fails(not_same([[
(table: 0x…) {
  [false] = 1 }]], [[
(table: 0x…) {
 *[true] = 1 }]]))
case [[assert.same("",nil)]] :fails(not_same("(nil)", "(string) ''"))
case [[assert.same("x",{"x"})]] :fails(not_same([[
(table: 0x…) {
  [1] = 'x' }]], "(string) 'x'"))
case [[assert.same({"x"},"x")]] :fails(not_same("(string) 'x'", [[
(table: 0x…) {
  [1] = 'x' }]]))
case [[assert.same(1,"1")]] :fails(not_same("(string) '1'", "(number) 1"))
case [[assert.same({1},{"1"})]] :fails(not_same([[
(table: 0x…) {
 *[1] = '1' }]], [[
(table: 0x…) {
 *[1] = 1 }]]))
case [[assert.is.is.is.same(1,2)]] :fails(not_same("(number) 2", "(number) 1"))
case [[assert.Not.Not.Not.same(1,1)]] :fails(same("(number) 1", "(number) 1"))
case [[assert.same_not(1,1)]] :fails(same("(number) 1", "(number) 1"))
case [[assert.are_same({1},{1},"m")]] :gives [[]]
case [[assert.same(nil)]] :fails [[the 'same' function requires a minimum of 2 arguments, got: 1]]
case [[assert.is_not.same(1)]] :fails [[the 'same' function requires a minimum of 2 arguments, got: 1]]
case [[return assert.is_not.same(1,2,3,4)]] :gives [[1, 2, 3, 4]]
case [[return select("#",assert.same(nil,nil))]] :gives [[2]]
case [[local same=assert.are.same same(1,1) same({},{}) same(1,2)]] :fails(not_same("(number) 2", "(number) 1"))
case [[assert.is.same.as(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is_same_as']]
case [[assert.are.foo.same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'are_foo']]
