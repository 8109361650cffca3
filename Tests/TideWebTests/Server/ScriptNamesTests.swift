import Testing

@testable import TideWeb

@Suite struct ScriptNamesTests {
  private func shortened(_ script: String) -> String {
    String(decoding: ScriptNames(Array(script.utf8)).shortened, as: UTF8.self)
  }

  @Test(arguments: [
    ("const total=1;add(total+total)", "let e=1;add(e+e)"),
    ("function total(){return total()}let other=e", "function t(){return t()}let n=e"),
    ("for(const each of all)go(...each)", "for(let e of all)go(...e)"),
    ("f((first,...rest)=>first+rest)", "f((e,...t)=>e+t)"),
    ("function f(total,all=[]){return all}", "function f(t,e=[]){return e}"),
    ("f(([,total])=>total)", "f(([,e])=>e)"), ("(total)=>[total,total]", "e=>[e,e]"),
    ("function total(){total();go();total()}", "function e(){e();go();e()}"),
    ("let one,two;two=one", "let e,t;t=e"), ("const[one,two=one]=a", "let[e,t=e]=a"),
    ("a={b(one){go(one)}}", "a={b(e){go(e)}}"), ("a?total=1:0;let total", "a?e=1:0;let e"),
    ("let total=1;say(`total ${total}`)", "let e=1;say(`total ${e}`)"),
    ("let total=1;a.total=2", "let e=1;a.total=2"),
    ("let total=1;a={total:2}", "let e=1;a={total:2}"),
    ("a=()=>{total=1};let total", "a=()=>{e=1};let e"),
    ("if(a){b();total=1}let total", "if(a){b();e=1}let e"),
    ("let total=1;a={b,total(){}}", "let e=1;a={b,total(){}}"),
    ("f((total)=>total,a.total)", "f(e=>e,a.total)"),
  ])
  func `what the script declares has a short name`(script: String, short: String) {
    #expect(shortened(script) == short)
  }

  @Test(arguments: [
    "let total=1;a={total}", "let total=1,{b,total,c}=a", "total=1;say(total)", "let a=1,ab=2",
    "f(({total})=>total)", "f(total=>({a,total}))", "f(total,total)", "{if(total){go(total)}}",
    "let total=1;go(total);f(({total})=>total)",
  ])
  func `what may be the name of something else stays`(script: String) {
    #expect(shortened(script) == script)
  }

  @Test(arguments: [
    ("f((one)=>one);f((two)=>two)", "f(e=>e);f(e=>e)"),
    ("function f(one){}function g(two){}", "function f(e){}function g(e){}"),
    ("let a={b(one){},c(two){}}", "let a={b(e){},c(e){}}"),
    ("let one=1;f((two)=>two);f((three)=>one)", "let e=1;f(e=>e);f(t=>e)"),
    ("f((one)=>go(one));one()", "f(e=>go(e));one()"),
    ("f((one)=>({one}));f((one)=>one)", "f(one=>({one}));f(e=>e)"),
    ("f((one)=>e(one))", "f(t=>e(t))"),
  ])
  func `names that no part has together may become the same`(script: String, short: String) {
    #expect(shortened(script) == short)
  }

  @Test(arguments: [
    ("let one=1;const two=2;go(one,two)", "let e=1,t=2;go(e,t)"),
    (
      "let one=1;if(one){let two=2;let three=3;go(two)}let four=4",
      "let e=1;if(e){let t=2,n=3;go(t)}let t=4"
    ),
    ("for(let one of all)go(one);let two=1", "for(let e of all)go(e);let e=1"),
    (
      "let one=()=>{let two=1;return two};let three=[1];go(one)",
      "let e=()=>{let e=1;return e},t=[1];go(e)"
    ),
    ("a={on:true,off:false}", "a={on:!0,off:!1}"), ("return true", "return!0"),
    ("view.hasNewText=typed", "view.e=t"), ("view.hasTyped=view.typed", "view.e=view.t"),
  ])
  func `what follows each other is declared at once, and known words are short`(
    script: String, short: String
  ) {
    #expect(shortened(script) == short)
  }

  @Test func `no message has what is the script's own`() {
    #expect(PageClass.plainProperties.isDisjoint(with: ScriptNames.own))
  }

  @Test func `texts and regular expressions stay`() {
    let script = #"const total=1;say("total",/total[/"]total/,'total')"#
    #expect(shortened(script) == script.replacing("const total", with: "let e"))
  }
}
