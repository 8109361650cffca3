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
case [[assert.same({1,2},{1,3})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
  [1] = 1
 *[2] = 3 }
Expected:
(table: 0x…) {
  [1] = 1
 *[2] = 2 }]]
case [[assert.same({1,{2}},{1,{3}},"m")]] :fails [[
m
Expected objects to be the same.
Passed in:
(table: 0x…) {
  [1] = 1
 *[2] = {
   *[1] = 3 } }
Expected:
(table: 0x…) {
  [1] = 1
 *[2] = {
   *[1] = 2 } }]]
case [[assert.same({a={1}},{a=1})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[a] = 1 }
Expected:
(table: 0x…) {
 *[a] = {
    [1] = 1 } }]]
case [[assert.same({a={1}},1)]] :fails [[
Expected objects to be the same.
Passed in:
(number) 1
Expected:
(table: 0x…) {
  [a] = {
    [1] = 1 } }]]
case [[assert.same({},{a=1})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[a] = 1 }
Expected:
(table: 0x…) { }]]
case [[assert.same({a=1},{})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) { }
Expected:
(table: 0x…) {
 *[a] = 1 }]]
case [[assert.same({a={b=1}},{a={}})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[a] = { } }
Expected:
(table: 0x…) {
 *[a] = {
   *[b] = 1 } }]]
case [[assert.is_not.same({a={b=1}},{a={b=1}})]] :fails [[
Expected objects to not be the same.
Passed in:
(table: 0x…) {
  [a] = {
    [b] = 1 } }
Did not expect:
(table: 0x…) {
  [a] = {
    [b] = 1 } }]]
case [[assert.same(0/0,0/0)]] :fails [[
Expected objects to be the same.
Passed in:
(number) NaN
Expected:
(number) NaN]]
case [[assert.same("a\nb","a\nc")]] :fails [[
Expected objects to be the same.
Passed in:
(string) 'a
c'
Expected:
(string) 'a
b']]
case [[assert.same({{{{{1}}}}},{{{{{2}}}}})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = {
   *[1] = {
     *[1] = { ... more } } } }
Expected:
(table: 0x…) {
 *[1] = {
   *[1] = {
     *[1] = { ... more } } } }]]
case [[assert.same(nil,{})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) { }
Expected:
(nil)]]
case [[assert.same({nil,2},{1,2})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = 1
  [2] = 2 }
Expected:
(table: 0x…) {
  [2] = 2 }]]
case [[assert.same(1,2,3,4)]] :fails [[
(number) 3
Expected objects to be the same.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[return assert.same(1,1)]] :gives [[1, 1]]
case [[assert.same({[0/0 ~= 0/0]=1},{[true]=1})]] :gives [[]]
case [[assert.same(0/0,1)]] :fails [[
Expected objects to be the same.
Passed in:
(number) 1
Expected:
(number) NaN]]
case [[assert.is_not.same(0/0,0/0)]] :gives [[]]
case [[assert.same({0/0},{0/0})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = NaN }
Expected:
(table: 0x…) {
 *[1] = NaN }]]
case [[assert.same(-0.0,0.0)]] :gives [[]]
case [[assert.same(1,1.0)]] :gives [[]]
case [[assert.same({1},{1.0})]] :gives [[]]
case [[assert.same(2^53,2^53+1)]] :gives [[]]
case [[assert.same(math.huge,-math.huge)]] :fails [[
Expected objects to be the same.
Passed in:
(number) -Inf
Expected:
(number) Inf]]
case [[assert.same("\255\254","\255\253")]] :fails "Expected objects to be the same.\nPassed in:\n(string) '��'\nExpected:\n(string) '��'"
case [[assert.same("\xe4\xb8","x")]] :fails "Expected objects to be the same.\nPassed in:\n(string) 'x'\nExpected:\n(string) '�'"
case "assert.same(\"é\",\"e\\u{301}\")" :fails "Expected objects to be the same.\nPassed in:\n(string) 'é'\nExpected:\n(string) 'é'"
case [[assert.same({["\255"]=1},{["\255"]=2})]] :fails "Expected objects to be the same.\nPassed in:\n(table: 0x…) {\n *[�] = 2 }\nExpected:\n(table: 0x…) {\n *[�] = 1 }"
case [[assert.same({["a b"]=1},{["a b"]=2})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[a b] = 2 }
Expected:
(table: 0x…) {
 *[a b] = 1 }]]
case [[assert.same({[""]=1},{})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) { }
Expected:
(table: 0x…) {
 *[] = 1 }]]
case [[assert.same(print,error)]] :fails [=[
Expected objects to be the same.
Passed in:
function: 0x… @ line -1 in =[C]
Expected:
function: 0x… @ line -1 in =[C]]=]
case [[assert.same(coroutine.create(print),1)]] :fails [[
Expected objects to be the same.
Passed in:
(number) 1
Expected:
(thread) 'thread: 0x…']]
case [[assert.same(io.stdout,io.stderr)]] :fails [[
Expected objects to be the same.
Passed in:
(userdata) 'file (0x…)'
Expected:
(userdata) 'file (0x…)']]
case [[assert.same(io.stdout,io.stdout)]] :gives [[]]
case [[assert.same(true,"true")]] :fails [[
Expected objects to be the same.
Passed in:
(string) 'true'
Expected:
(boolean) true]]
case [[assert.same(nil,false)]] :fails [[
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(nil)]]
case [[assert.same({},{{}})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = { } }
Expected:
(table: 0x…) { }]]
case [[assert.same({{}},{})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) { }
Expected:
(table: 0x…) {
 *[1] = { } }]]
case [[assert.same({1,2,3},{1,2})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
  [1] = 1
  [2] = 2 }
Expected:
(table: 0x…) {
  [1] = 1
  [2] = 2
 *[3] = 3 }]]
case [[assert.same({1,2},{1,2,3})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
  [1] = 1
  [2] = 2
 *[3] = 3 }
Expected:
(table: 0x…) {
  [1] = 1
  [2] = 2 }]]
case [[assert.same({1,nil,3},{1,nil,3})]] :gives [[]]
case [[assert.same({a={b={c={d={e=1}}}}},{a={b={c={d={e=2}}}}})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[a] = {
   *[b] = {
     *[c] = { ... more } } } }
Expected:
(table: 0x…) {
 *[a] = {
   *[b] = {
     *[c] = { ... more } } } }]]
case [[assert.same({f=print},{f=error})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[f] = function: 0x… }
Expected:
(table: 0x…) {
 *[f] = function: 0x… }]]
case [[assert.same({[print]=1},{[print]=2})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[function: 0x…] = 2 }
Expected:
(table: 0x…) {
 *[function: 0x…] = 1 }]]
case [[assert.same({[1.5]=1},{[1.5]=2})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1.5] = 2 }
Expected:
(table: 0x…) {
 *[1.5] = 1 }]]
case [[assert.same({[true]=1},{[false]=1})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
  [false] = 1 }
Expected:
(table: 0x…) {
 *[true] = 1 }]]
case [[assert.same("",nil)]] :fails [[
Expected objects to be the same.
Passed in:
(nil)
Expected:
(string) '']]
case [[assert.same("x",{"x"})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
  [1] = 'x' }
Expected:
(string) 'x']]
case [[assert.same({"x"},"x")]] :fails [[
Expected objects to be the same.
Passed in:
(string) 'x'
Expected:
(table: 0x…) {
  [1] = 'x' }]]
case [[assert.same(1,"1")]] :fails [[
Expected objects to be the same.
Passed in:
(string) '1'
Expected:
(number) 1]]
case [[assert.same({1},{"1"})]] :fails [[
Expected objects to be the same.
Passed in:
(table: 0x…) {
 *[1] = '1' }
Expected:
(table: 0x…) {
 *[1] = 1 }]]
case [[assert.is.is.is.same(1,2)]] :fails [[
Expected objects to be the same.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[assert.Not.Not.Not.same(1,1)]] :fails [[
Expected objects to not be the same.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.same_not(1,1)]] :fails [[
Expected objects to not be the same.
Passed in:
(number) 1
Did not expect:
(number) 1]]
case [[assert.are_same({1},{1},"m")]] :gives [[]]
case [[assert.same(nil)]] :fails [[the 'same' function requires a minimum of 2 arguments, got: 1]]
case [[assert.is_not.same(1)]] :fails [[the 'same' function requires a minimum of 2 arguments, got: 1]]
case [[return assert.is_not.same(1,2,3,4)]] :gives [[1, 2, 3, 4]]
case [[return select("#",assert.same(nil,nil))]] :gives [[2]]
case [[local same=assert.are.same same(1,1) same({},{}) same(1,2)]] :fails [[
Expected objects to be the same.
Passed in:
(number) 2
Expected:
(number) 1]]
case [[assert.is.same.as(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is_same_as']]
case [[assert.are.foo.same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'are_foo']]
