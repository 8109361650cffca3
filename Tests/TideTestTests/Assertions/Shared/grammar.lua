-- The rest of the grammar, and `assert` itself.

case [[return assert.has.property(1,1)]] :fails [[luassert: unknown modifier/assertion: 'has_property']]
case [[local s=assert.Not return s.Not.mod, s.mod]] :gives [[true, true]]
case [[assert.called()]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.was.called(1)]] :fails [['called' must be chained after 'spy(aspy)']]
case [[assert.was.called_with(1)]] :fails [['called_with' must be chained after 'spy(aspy)']]
case [[assert.was.returned_with(1)]] :fails [['returned_with' must be chained after 'spy(aspy)']]
case [[assert.was.called_at_least(1)]] :fails [['called' must be chained after 'spy(aspy)']]
case [[return assert(1,2,3,nil)]] :gives [[1, 2, 3, nil]]
case [[return select("#",assert(1,2,3,nil))]] :gives [[4]]
case [[assert(false,setmetatable({},{__tostring=function() error("ts") end}))]] :fails [[{}]]
case [[assert.foo.bar()]] :fails [[luassert: unknown modifier/assertion: 'foo_bar']]
case [[assert.__index()]] :fails [[luassert: unknown modifier/assertion: 'index']]
case [[assert.is(1)]] :gives [[]]
case [[assert.are.Not.foo()]] :fails [[luassert: unknown modifier/assertion: 'are_not_foo']]
case [[assert._()]] :gives [[]]
case [[a["is true"](true)]] :fails [[attempt to index a nil value (global 'a')]]
case [[assert(1)]] :gives [[]]
case [[return assert(1,"m",2)]] :gives [[1, 'm', 2]]
case [[assert(false)]] :fails [[assertion failed!]]
case [[assert(nil,"why")]] :fails [[why]]
case [[assert(false,{code=1})]] :fails [[{code=1}]]
case [[assert()]] :fails [[assertion failed!]]
case [[assert(nil,nil)]] :fails [[assertion failed!]]
case [[assert(false,42)]] :fails [[42]]
case [[assert(false,"a\nb")]] :fails [[
a
b]]
case [[assert(false,"")]] :fails [[]]
case [[return assert("x")]] :gives [['x', nil, nil]]
case [[local copy = util.deepcopy(assert.is_true) return copy(true)]] :gives [[true]]
case [[local copy = util.deepcopy(assert.is) return copy.same(1, 1)]] :gives [[1, 1]]
case [[local copy = util.deepcopy(assert.is_true) copy(false)]] :fails [[
Expected objects to be the same.
Passed in:
(boolean) false
Expected:
(boolean) true]]
