-- `match`: matchers alone and in what spies saw.

case [[local t={} local s=spy.new() s(t) t.x=1 assert.spy(s).was.called_with(match.is_ref(t))]] :gives [[]]
case [[local t={} local s=spy.new() s(t) assert.spy(s).was.called_with(match.is_ref({}))]] :fails [[
Function was never called with matching arguments.
Called with (last call if any):
(values list) ((table: 0x…) { })
Expected:
(values list) ((matcher) is.ref((table: 0x…) { }))]]
case [[return getmetatable(match._)]] :gives [[{__call=function}]]
case [[return match.foo()]] :fails [[luassert: unknown modifier/matcher: 'foo']]
case [[return match.is.foo_bar()]] :fails [[luassert: unknown modifier/matcher: 'is_foo_bar']]
case [[return match.is_string()(1,2)]] :gives [[false]]
case [[return tostring(match.is_string())==nil]] :gives [[false]]
case [[return match.is_matcher(match.is_string()),match.is_matcher(match._),match.is_matcher(1),match.is_ref_matcher(match.is_ref({})),match.is_ref_matcher(match._),match.is_matcher(match.is_string)]] :gives [[true, true, false, true, false, false]]
case [[match.is_ref()]] :fails [[the 'ref' function requires a minimum of 1 arguments, got: 0]]
case [[match.is_ref(1)]] :fails [[bad argument #1 to 'ref' (object expected, got number)]]
case [[match.near(1)]] :fails [[the 'near' function requires a minimum of 2 arguments, got: 1]]
case [[match.near("a",1)]] :fails [[bad argument #1 to 'near' (number or object convertible to a number expected, got (string) 'a')]]
case [[match.near(1,"b")]] :fails [[bad argument #2 to 'near' (number or object convertible to a number expected, got (string) 'b')]]
case [[return match.near(1,2)("x")]] :gives [[false]]
case [[return match.near(1,2)(nil)]] :gives [[false]]
case [[match.matches()]] :fails [[the 'matches' function requires a minimum of 1 arguments, got: 0]]
case [[match.matches({})]] :fails [[bad argument #1 to 'matches' (string expected, got table)]]
case [[match.matches("s","s")]] :fails [[bad argument #2 to 'matches' (number expected, got string)]]
case [[return match.matches("s")({})]] :gives [[false]]
case [[return match.matches("s")(nil)]] :gives [[false]]
case [[return match.matches("1")(1)]] :gives [[true]]
case [[return match.matches("s")(setmetatable({},{__tostring=function() return "s" end}))]] :gives [[true]]
case [[match.matches("s",1,true,4)]] :gives [[]]
case [[match.same()]] :fails [[the 'same' function requires a minimum of 1 arguments, got: 0]]
case [[match.equals()]] :fails [[the 'equals' function requires a minimum of 1 arguments, got: 0]]
case [[return match.unique()({1,1})]] :gives [[false]]
case [[return match.unique(true)({{1},{1}})]] :gives [[false]]
case [[return match.unique()({{1},{1}})]] :gives [[true]]
case [[match.all_of()]] :fails [[the 'all' function requires a minimum of 1 arguments, got: 0]]
case [[match.all_of(1)]] :fails [[bad argument #1 to 'all' (matcher expected, got number)]]
case [[match.any_of(match._,"x")]] :fails [[bad argument #1 to 'any' (matcher expected, got string)]]
case [[match.none_of({})]] :fails [[bad argument #1 to 'none' (matcher expected, got table)]]
case [[return match.all_of(match.is_string(),match.is.Not.same("x"))("x")]] :gives [[false]]
case [[return match.is_not_truthy()(nil)]] :gives [[true]]
case [[return match.equals({1})({1})]] :gives [[false]]
case [[return match.same({1})({1})]] :gives [[true]]
case [[return match.error()]] :fails [[luassert: unknown modifier/matcher: 'error']]
case [[return util.matchargs({{vals={1,n=1},refs={1,n=1}},{vals={2,n=1},refs={2,n=1}}},{match.is_number(),n=1})]] :gives [[{refs={1=2, n=1}, vals={1=2, n=1}}]]
case [=[return assert:format({{match.is_string()},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [arguments] = {
      [n] = 0 }
    [callback] = function: 0x…
    [mod] = true
    [name] = 'string' } }']]
case [[return match.unique(true)({{1},{1}}), match.unique(nil)({{1},{1}})]] :gives [[false, true]]
case [[local mt={__eq=function() return true end} return match.same(setmetatable({1},mt))(setmetatable({2},mt)), match.equals(setmetatable({1},mt))(setmetatable({2},mt)), match.ref(setmetatable({1},mt))(setmetatable({2},mt))]] :gives [[false, true, true]]
case [[local s=spy.new() s({a=1}) return s:called_with(util.make_arglist({a=match._}))]] :gives [[false, {1={a=1}, n=1}]]
case [[return util.matchoncalls({{vals={match.is_number(),n=1},refs={match.is_number(),n=1}}},{5,n=1})~=nil]] :gives [[true]]
case [[return util.matchargs({{vals={match.is_number(),n=1},refs={match.is_number(),n=1}}},{5,n=1})~=nil]] :gives [[false]]
case [[return util.matchoncalls({{vals={1,n=1},refs={1,n=1}}},{match.is_number(),n=1})~=nil]] :gives [[false]]
case [[local s=spy.new() s(1) s(1,2) return s:called_with(util.make_arglist(match._))]] :gives [[true, {1=1, n=1}]]
case [=[return assert:format({match.is_not.all_of(match.is_string(),match.Not.ref({}),match.near(1,2)),n=1})[1]]=] :gives [['(matcher) no.all_of((matcher) is.string(), (matcher) no.ref((table: 0x…) { }), (matcher) is.near((number) 1, (number) 2))']]
case [[assert:register("matcher","same",function() return function() return true end end) return match.same(1)(2)]] :gives [[true]]
case [[assert:unregister("matcher","same") return match.same(1)(2)]] :fails [[luassert: unknown modifier/matcher: 'same']]
case [[local t={n=0} function t:inc(k) self.n=self.n+k return self.n end spy.on(t,"inc") t:inc(2) assert.spy(t.inc).was.called_with(match.is_ref(t),2)]] :gives [[]]
case [[local t={n=0} function t:inc(k) self.n=self.n+k return self.n end spy.on(t,"inc") t:inc(2) assert.spy(t.inc).was.called_with(match._,2) assert.spy(t.inc).was.returned_with(2)]] :gives [[]]
case [[return match.is_string()("x"),match.is_string()(1)]] :gives [[true, false]]
case [[return match.is_not_nil()(1),match.is_not_nil()(nil)]] :gives [[true, false]]
case [[return match.has_match("b")("abc")]] :gives [[true]]
case [[return match.near(1,0.5)(1.4),match.near(1,0.5)(1.6)]] :gives [[true, false]]
case [[return match.all_of(match.is_number(),match.is_not.equal(3))(4)]] :gives [[true]]
case [[return match.any_of(match.is_number(),match.is_string())("x")]] :gives [[true]]
case [[return match.none_of(match.is_number(),match.is_string())({})]] :gives [[true]]
case [[match.all_of(match.is_string,1)]] :fails [[bad argument #1 to 'all' (matcher expected, got table)]]
case [[match.equal()]] :fails [[the 'equals' function requires a minimum of 1 arguments, got: 0]]
case [[match.ref("x")]] :fails [[bad argument #1 to 'ref' (object expected, got string)]]
case [[match.bogus(1)]] :fails [[luassert: unknown modifier/matcher: 'bogus']]
case [[match.is_bogus(1)]] :fails [[luassert: unknown modifier/matcher: 'is_bogus']]
case [[match.matches(5)]] :fails [[bad argument #1 to 'matches' (string expected, got number)]]
case [[match.matches("x","y")]] :fails [[bad argument #2 to 'matches' (number expected, got string)]]
case [[return match.is_same({1})({1}),match.is_equal({1})({1})]] :gives [[true, false]]
case [[return match.is_not_same({1})({2})]] :gives [[true]]
case [[return match.unique()({1,1}),match.unique(true)({{1},{1}})]] :gives [[false, false]]
case [[return match._(1),match._(nil)]] :gives [[true, true]]
case [[local ok=pcall(function() return match._.x end) return ok]] :gives [[true]]
case [[return match.is_truthy()(0),match.is_falsy()(nil)]] :gives [[true, true]]
case [[return match.Is.String()("x")]] :gives [[true]]
case [[return match.string()(setmetatable({},{__tostring=function() return "x" end}))]] :gives [[false]]
case [[return match.matches("(")("x")]] :fails [[unfinished capture]]
case [[return match.is_matcher(match.all_of(match._))]] :gives [[true]]
case [[assert:register("matcher","big",function(_,args) return function(v) return v>args[1] end end) return match.big(3)(4),match.is_not_big(3)(4)]] :gives [[true, false]]
case [[assert:register("matcher","big",function(_,args) return function(v) return v>args[1] end end) local s=spy.new() s(2) assert.spy(s).was.called_with(match.big(3))]] :fails [[
Function was never called with matching arguments.
Called with (last call if any):
(values list) ((number) 2)
Expected:
(values list) ((matcher) is.big((number) 3))]]
case [[assert:register("matcher","big",function(_,args) return function(v) return v>args[1] end end) return match.big(3)("x")]] :fails [[attempt to compare number with string]]
case [=[return assert:format({{match._},n=1})[1]]=] :gives [[
'(table: 0x…) {
  [1] = {
    [callback] = function: 0x…
    [mod] = true } }']]
