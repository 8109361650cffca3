-- `spy`: what is remembered, asked for and said.

-- The arguments of a spied method: the table with the spy in it, whose `n` is given, and 2.
local function counter_and_two(n)
  return ([[
(values list) ((table: 0x…) {
  [inc] = {
    [callback] = function: 0x…
    [called] = function: 0x…
    [called_with] = function: 0x…
    [calls] = {
      [1] = { ... more } }
    [clear] = function: 0x…
    [returned_with] = function: 0x…
    [returnvals] = {
      [1] = { ... more } }
    [revert] = function: 0x…
    [target_key] = 'inc'
    [target_table] = {
      [inc] = { ... more }
      [n] = 2 } }
  [n] = %d }, (number) 2)]]):format(n)
end

case [[return getmetatable(spy)]] :gives [[{__call=function}]]
case [[spy.new(1)]] :fails [[Cannot spy on type 'number', only on functions or callable elements]]
case [[spy.new("x")]] :fails [[Cannot spy on type 'string', only on functions or callable elements]]
case [[spy.new({})]] :fails [[Cannot spy on type 'table', only on functions or callable elements]]
case [[spy.on({},"k")]] :gives [[]]
case [[spy.on({k=1},"k")]] :fails [[Cannot spy on type 'number', only on functions or callable elements]]
case [[return spy(1)]] :fails [[Cannot spy on type 'number', only on functions or callable elements]]
case [[return spy.is_spy(spy.new()),spy.is_spy(1),spy.is_spy({}),spy.is_spy(nil), spy.is_spy({calls={}})]] :gives [[true, false, false, false, false]]
case [[local s=spy.new(error) s("x")]] :fails [[x]]
case [[local s=spy.new(function(...) return select("#",...) end) return s(nil,nil)]] :gives [[2]]
case [[local s=spy.new() return s:clear()==s, s:called(), s:called(0), s:called(1), s:called_with(1), s:returned_with()]] :gives [[true, false, true, false, false, false, nil]]
case [[local s=spy.new(function() return 1 end) s(1) s(2) return s:called(2)]] :gives [[true, 2]]
case [[local s=spy.new(function() return 1 end) s(1) s(2) return s:called_with({1})]] :gives [[false, {1=2, n=1}]]
case [[local s=spy.new(function() return 1 end) s(1) s(2) return s:called_with(util.make_arglist(1))]] :gives [[true, {1=1, n=1}]]
case [[local s=spy.new(function() return 1 end) s(1) s(2) return s:called_with(util.make_arglist(3))]] :gives [[false, {1=2, n=1}]]
case [[local s=spy.new(function() return 1 end) s(1) s(2) return s:returned_with(util.make_arglist(1))]] :gives [[true, {1=1, n=1}]]
case [[local s=spy.new(function() return 1 end) s(1) return s:called_at_least(1), s:called_at_most(1),s:called_more_than(1),s:called_less_than(1)]] :fails [[attempt to call a nil value (method 'called_at_least')]]
case [[assert.spy(1).was.called()]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.spy().was.called()]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.spy({}).was.called()]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.spy(spy.new()).was.called()]] :fails [[Expected to be called >0 time(s), but was called 0 time(s)]]
case [[assert.spy(spy.new()).was.called(1)]] :fails [[Expected to be called 1 time(s), but was called 0 time(s)]]
case [[assert.spy(spy.new()).was_not.called()]] :gives [[]]
case [[local s=spy.new() s() assert.spy(s).was_not.called()]] :fails [[Expected to be called 0 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was_not.called(1)]] :fails [[Expected not to be called exactly 1 time(s), but it was.]]
case [[local s=spy.new() s() assert.spy(s).was.called(2)]] :fails [[Expected to be called 2 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was.called("1")]] :fails [[Expected to be called 1 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was.called("x")]] :fails [[Expected to be called x time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s,"MSG").was.called(2)]] :fails [[
MSG
Expected to be called 2 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was.called(2,"MSG")]] :fails [[Expected to be called 2 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() return assert.spy(s).was.called(1)]] :gives [[1]]
case [[local s=spy.new() s() return assert.spy(s).was.called_with()]] :gives [[]]
case [[local s=spy.new() s() return assert.spy(s).was.called_with(1,nil)]] :fails(not_called_with("(values list) ()", "(values list) ((number) 1, (nil))"))
case [[local s=spy.new() assert.spy(s).was.called_at_least(1)]] :fails [[Expected to be called at least 1 time(s), but was called 0 time(s)]]
case [[local s=spy.new() assert.spy(s).was.called_at_least()]] :fails [[attempt to compare nil with number]]
case [[local s=spy.new() assert.spy(s).was.called_at_most()]] :fails [[attempt to compare number with nil]]
case [[local s=spy.new() s() assert.spy(s).was.called_at_most(0)]] :fails [[Expected to be called at most 0 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was_not.called_at_most(1)]] :fails [[Expected to be called more than 1 time(s), but was called 1 time(s)]]
case [[local s=spy.new() assert.spy(s).was.called_more_than(1)]] :fails [[Expected to be called more than 1 time(s), but was called 0 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was.called_less_than(1)]] :fails [[Expected to be called less than 1 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was_not.called_less_than(2)]] :fails [[Expected to be called at least 2 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was_not.called_more_than(0)]] :fails [[Expected to be called at most 0 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was_not.called_at_least(1)]] :fails [[Expected to be called less than 1 time(s), but was called 1 time(s)]]
case [[assert.is.spy(spy.new())]] :gives [[]]
case [[local s=spy.new(function() return 1,{2} end) s() s() assert.spy(s).was.returned_with(2)]] :fails [[
Function never returned matching arguments.
Returned (last call if any):
(values list) ((number) 1, (table: 0x…) {
  [1] = 2 })
Expected:
(values list) ((number) 2)]]
case [[local s=spy.new(function() return 1,{2} end) s() assert.spy(s).was_not.returned_with(1,{2})]] :fails [[
Function returned matching arguments at least once.
Returned (last matching call):
(values list) ((number) 1, (table: 0x…) {
  [1] = 2 })
Did not expect:
(values list) ((number) 1, (table: 0x…) {
  [1] = 2 })]]
case [[local s=spy.new() assert.spy(s).was.returned_with()]] :fails [[
Function never returned matching arguments.
Returned (last call if any):
(nil)
Expected:
(values list) ()]]
case [[local s=spy.new() s() assert.spy(s).was.returned_with(1)]] :fails [[
Function never returned matching arguments.
Returned (last call if any):
(values list) ()
Expected:
(values list) ((number) 1)]]
case [[local s=spy.new() assert.spy(s).was.called_with(1)]] :fails(not_called_with("(nil)", "(values list) ((number) 1)"))
case [[local s=spy.new() s() assert.spy(s).was_not.called_with()]] :fails [[
Function was called with matching arguments at least once.
Called with (last matching call):
(values list) ()
Did not expect:
(values list) ()]]
case [[local s=spy.new() s(nil) assert.spy(s).was_not.called_with(nil)]] :fails [[
Function was called with matching arguments at least once.
Called with (last matching call):
(values list) ((nil))
Did not expect:
(values list) ((nil))]]
case [[local s=spy.new() s(nil) assert.spy(s).was.called_with()]] :fails(not_called_with("(values list) ((nil))", "(values list) ()"))
case [[local t={} local s=spy.new() s(t) t.x=1 assert.spy(s).was.called_with(t)]] :fails(not_called_with("(values list) ((table: 0x…) { })", [[
(values list) ((table: 0x…) {
  [x] = 1 })]]))
case [[local s=spy.new() return util.deepcopy(s)==s, util.deepcopy({s})[1]==s]] :gives [[false, true]]
case [=[return assert:format({spy.new(),n=1})[1]]=] :gives [[
'(table: 0x…) {
  [callback] = function: 0x…
  [called] = function: 0x…
  [called_with] = function: 0x…
  [calls] = { }
  [clear] = function: 0x…
  [returned_with] = function: 0x…
  [returnvals] = { }
  [revert] = function: 0x… }']]
case [[assert:add_spy(1)]] :gives [[]]
case [[
local function f() assert.spy(spy.new()).was.called(2,assert:level(2)) end
local function g() f() end
 g()]] :fails [[Expected to be called 2 time(s), but was called 0 time(s)]]
case [[assert.spy(spy.new()).was.called_with(2,assert:level(2))]] :fails(not_called_with("(nil)", [[
(values list) ((number) 2, (table: 0x…) {
  [level] = 2 })]]))
case [[return assert.spy(spy.new()).was.called_at_most(3)]] :gives [[3]]
case [[local s=spy.new() s() return assert.spy(s).was.called_at_least(1)]] :gives [[1]]
case [[local s=spy.new() s() return assert.spy(s).was.called()]] :gives [[]]
case [[local s=spy.new() s(1,2) return assert.spy(s).was.called_with(1,2)]] :gives [[1, 2]]
case [[local s=spy.new() return assert.spy(s).was_not.called()]] :gives [[]]
case [[local s=spy.new() return assert.spy(s).was_not.called(3)]] :gives [[3]]
case [[local s=spy.new() return assert.spy(s).was_not.called_with(3)]] :gives [[3]]
case [[local s=spy.new() return assert.spy(s).was.called(nil)]] :fails [[Expected to be called >0 time(s), but was called 0 time(s)]]
case [[local s=spy.new() return assert.spy(s).was.called("a")]] :fails [[Expected to be called a time(s), but was called 0 time(s)]]
case [[local s=spy.new() return assert.spy(s).was.called_at_least("1")]] :fails [[attempt to compare string with number]]
case [[local s=spy.new() s() return assert.spy(s).was_not.called(nil)]] :fails [[Expected to be called 0 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() return assert.spy(s).was.called(1.0)]] :gives [[1.0]]
case [[local s=spy.new() s() s.calls={} return assert.spy(s).was.called()]] :fails [[Expected to be called >0 time(s), but was called 0 time(s)]]
case [[assert.spy({calls={},called=function() return true,1 end,called_with=function() end}).was.called()]] :gives [[]]
case [[return spy.on(setmetatable({},{__newindex=error}),"k")]] :fails [[bad argument #2 to 'newindex' (number expected, got string)]]
case [[local t={} local s=spy.on(t,"x") return t.x==s, t.x(1)]] :gives [[true]]
case [[local s=spy.new(function() return 1,nil end) return select("#",s())]] :gives [[2]]
case [[local t={f=function(self,x) return self,x end} spy.on(t,"f") return t:f(1)==t]] :gives [[true]]
case [[local t={k=print} local s=spy.on(t,"k") return s:revert()==print, s:revert()]] :gives [[true, function]]
case [[local t={k=print} local s=spy.on(t,"k") t.k=5 s:revert() return t.k==print]] :gives [[true]]
case [[local mt={__eq=function() return true end} local s=spy.new() s(setmetatable({1},mt)) return s:called_with(util.make_arglist(setmetatable({2},mt)))]] :gives [[true, {1={1=1}, n=1}]]
case [=[local s=spy.new(function(x) return x*2 end) return s(2),#s.calls,s.calls[1].vals[1],s.returnvals[1].vals[1]]=] :gives [[4, 1, 2, 4]]
case [[local t={n=0} function t:inc(k) self.n=self.n+k return self.n end spy.on(t,"inc") t:inc(2) assert.spy(t.inc).was.called_with(t,2)]] :fails(not_called_with(counter_and_two(0), counter_and_two(2)))
case [[local s=spy.new(function() end) s(nil) s(nil,nil) assert.spy(s).was.called_with(nil) assert.spy(s).was.called_with(nil,nil) assert.spy(s).was_not.called_with(nil,nil,nil)]] :gives [[]]
case [[local s=spy.new() for i=1,3 do s(i) end assert.spy(s).was.called(3) assert.spy(s).was.called_at_least(2) assert.spy(s).was.called_at_most(3) assert.spy(s).was.called_more_than(2) assert.spy(s).was.called_less_than(4) assert.spy(s).was.called.with(1)]] :gives [[]]
case [[local s=spy.new() s(1) s(2) assert.spy(s).was.called_with(3)]] :fails(not_called_with("(values list) ((number) 2)", "(values list) ((number) 3)"))
case [[local s=spy.new() s(1) s(2) assert.spy(s).was_not.called_with(1)]] :fails [[
Function was called with matching arguments at least once.
Called with (last matching call):
(values list) ((number) 1)
Did not expect:
(values list) ((number) 1)]]
case [[local s=spy.new() s({1,{2}}) assert.spy(s).was.called_with({1,{2}})]] :gives [[]]
case [[local s=spy.new() s({1,{2}}) assert.spy(s).was.called_with({1,{3}})]] :fails(not_called_with([[
(values list) ((table: 0x…) {
  [1] = 1
  [2] = {
    [1] = 2 } })]], [[
(values list) ((table: 0x…) {
  [1] = 1
  [2] = {
    [1] = 3 } })]]))
case [[local s=spy.new() local x={} x.x=x s(x) assert.spy(s).was.called_with(x)]] :gives [[]]
case [[local s=spy.new() s(print) assert.spy(s).was.called_with(print)]] :gives [[]]
case [[local s=spy.new() s(1) s:clear() assert.spy(s).was.called()]] :fails [[Expected to be called >0 time(s), but was called 0 time(s)]]
case [[local s=spy.new() assert.spy(s).was.called("many")]] :fails [[Expected to be called many time(s), but was called 0 time(s)]]
case [[assert.spy(nil).was.called()]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.spy("x").was_not.called()]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.spy(function() end).was.called()]] :fails [[When calling 'spy(aspy)', 'aspy' must not be the original function, but the spy function replacing the original]]
case [[local s=spy.new() s() assert.spy(s,"extra").was_not.called()]] :fails [[
extra
Expected to be called 0 time(s), but was called 1 time(s)]]
case [[local s=spy.new() assert.message("mm").spy(s).was.called()]] :fails [[
mm
Expected to be called >0 time(s), but was called 0 time(s)]]
case [[local s=spy.new() assert.spy(s).message("mm").was.called()]] :fails [[
mm
Expected to be called >0 time(s), but was called 0 time(s)]]
case [[local s=spy.new() s() assert.spy(s).called(1)]] :gives [[]]
case [[local s=spy.new() assert.spy(s).called(1)]] :fails [[Expected to be called 1 time(s), but was called 0 time(s)]]
case [[local s=spy.new() s() assert.spy(s).was_called()]] :gives [[]]
case [[local s=spy.new() s() assert.spy(s).was_not_called()]] :fails [[Expected to be called 0 time(s), but was called 1 time(s)]]
case [[local s=spy.new() s() assert.spy(s).has_been_called()]] :fails [[luassert: unknown modifier/assertion: 'has_been']]
case [[local s=spy.new(function() error("inside",0) end) s()]] :fails [[inside]]
case [[local s=spy.new(setmetatable({},{__call=function(self,x) return x end})) return s(5)]] :gives [[5]]
case [[local t={f=print} local s=spy.on(t,"f") local s2=spy.on(t,"f") s2:revert() return t.f==s]] :gives [[true]]
case [[local s=spy.new() return pcall(s.called,s,1)]] :gives [[true, false, 0]]
case [[local s=spy.new() return s.callback()]] :gives [[]]
case [[return util.callable(function() end),util.callable(setmetatable({},{__call=function() end})),util.callable("x"),util.callable(spy.new())]] :gives [[true, true, false, true]]
