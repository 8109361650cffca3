-- Words that specs register or take away.

case [[assert:register("foo","x",print)]] :gives [[]]
case [[assert:register("assertion","Foo",function() return true end) return assert.foo(1)]] :gives [[1]]
case [[assert:unregister("assertion","nope")]] :gives [[]]
case [[assert:unregister("foo","nope")]] :gives [[]]
case [[assert:register("assertion","z",function() return true end) return assert.z(1,nil)]] :gives [[1, nil]]
case [[assert:register("assertion","z",function() return false end) return assert.z(1,nil)]] :fails [[assertion failed!]]
case [[assert:register("assertion","z",function() return nil end,"pos","neg") return assert.z(1,nil)]] :fails [[assertion failed!]]
case [[assert:register("assertion","z",function() return true end,"pos %s","neg %s") return assert.no.z(1,nil)]] :fails [[assertion failed!]]
case [[assert:register("assertion","z",function() return false end,"pos %s %s") assert.z(1,2)]] :fails [[assertion failed!]]
case [[assert:register("assertion","z",function() return true,{7,8,n=2} end) return assert.z(1,nil)]] :gives [[7, 8]]
case [[assert:register("assertion","z",function() return true,{7,8} end) return assert.z(1,nil)]] :gives [[7, 8]]
case [[assert:register("assertion","z",5) assert.z(1)]] :fails [[attempt to call a number value (field 'callback')]]
case [[assert:register("assertion","z") assert.z(1)]] :fails [[attempt to call a nil value (field 'callback')]]
case [[assert:register("assertion","z",function(s,ar) ar[1]="q" ar.nofmt={true} return false end,"assertion.same.positive") assert.z(1,2)]] :fails(not_same("q", "(number) 2"))
case [[assert:register("assertion","z",function(s,ar) s.failure_message="FM" return false end,"assertion.same.positive") assert.z(1,2)]] :fails(not_same("(number) 1", "(number) 2", "FM"))
case [[assert:register("modifier","mm",function(s,ar,l) s.pay=ar[1] return s end) assert:register("assertion","pp",function(s,ar) return s.pay==ar[1] end,"assertion.same.positive") assert.mm(3).pp(3) assert.mm(3).pp(4)]] :fails [[bad argument #2 to 'format' (no value)]]
case [[assert:register("assertion","pp",function(s,ar) error("boom") end,"assertion.same.positive") assert.pp(3)]] :fails [[boom]]
case [[assert:register("assertion","pp",function(s,ar,l) error("boom",l) end,"assertion.same.positive") assert.pp(3)]] :fails [[boom]]
case [[assert:register("assertion","pp",function(s,ar,l) error("boom",l+1) end,"assertion.same.positive") assert.pp(3)]] :fails [[boom]]
case [[assert:register("assertion","pp",function(s,ar,l) assert.is_true(false) end,"assertion.same.positive") assert.pp(3)]] :fails(not_same("(boolean) false", "(boolean) true"))
case [[assert:register("assertion","z1",function(s,ar) s.failure_message="FM" return false end) assert.z1(1)]] :fails [[FM]]
case [[assert:register("assertion","z1",function(s,ar) return false end,"pos","neg") assert.message("m").z1(1)]] :fails [[m]]
case [[assert:unregister("modifier","is") assert.is.same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'is']]
case [[assert:unregister("assertion","same") assert.same(1,1)]] :fails [[luassert: unknown modifier/assertion: 'same']]
case [[assert:register("assertion","Is_Odd",function(s,ar) return ar[1]%2==1 end) assert.is_odd(2)]] :fails [[assertion failed!]]
case [[assert:register("assertion","big",function(s,args) return args[1]>args[2] end,"k.p","k.n") assert.is_big(1,2)]] :fails [[assertion failed!]]
case [=[assert:register("assertion","has_prop",function(s,args) return args[2][args[1]]~=nil end,"k.p","k.n") assert.has_prop("x",{x=1})]=] :gives [[]]
case [[assert:register("assertion","nop",function() end) assert.nop()]] :fails [[assertion failed!]]
case [[assert:register("assertion","nop",function() return true end) return assert.nop(1,nil,3)]] :gives [[1, nil, 3]]
case [[assert:register("assertion","same",function() return true end) assert.same(1,2)]] :gives [[]]
case [[assert:unregister("modifier","is") assert.is_true(true)]] :fails [[luassert: unknown modifier/assertion: 'is']]
case [[assert:register("modifier","very",function(state) return state end) assert.is.very.truthy(1)]] :gives [[]]
case [[assert:register("assertion","fm",function(state,args) rawset(state,"failure_message",args[2]) return false end,"assertion.truthy.positive") assert.fm(1,"own")]] :fails [[
own
Expected to be truthy, but value was:
(number) 1]]
case [[assert:register("assertion","thrower",function(state,args) error({code=1}) end) assert.thrower()]] :fails [[{code=1}]]
case [[assert:register("assertion","ret",function(state,args) return true,{args[1],"x",n=2} end) return assert.ret(1)]] :gives [[1, 'x']]
case [[assert:register("assertion","twice",function(state,args) args[1]=args[1]*2 return false end,"assertion.truthy.positive") assert.twice(4)]] :fails [[
Expected to be truthy, but value was:
(number) 8]]
case [[assert:register("assertion","noformat",function(state,args) args.nofmt={true} return false end,"assertion.truthy.positive") assert.noformat("raw")]] :fails [[
Expected to be truthy, but value was:
raw]]
case [[assert:register("assertion","n1",function(state,args) return args.n==3 end) assert.n1(nil,nil,nil)]] :gives [[]]
