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
    ("f(([,total])=>total)", "f(([,e])=>e)"), ("(total)=>[total,total]", "(e)=>[e,e]"),
    ("function total(){total();go();total()}", "function e(){e();go();e()}"),
  ])
  func `what the script declares has a short name`(script: String, short: String) {
    #expect(shortened(script) == short)
  }

  @Test(arguments: [
    "let total=1;a.total=2", "let total=1;a={total:2}", "let total=1;a={total}",
    "let total=1,{b,total,c}=a", "let total=1;a={b,total(){}}",
    "let total=1;say(`${total}`)", "total=1;say(total)", "let a=1,ab=2",
    "f(({total})=>total)", "f((total)=>({a,total}))", "f((total)=>total,a.total)", "f(total,total)",
  ])
  func `what may be the name of something else stays`(script: String) {
    #expect(shortened(script) == script)
  }

  @Test(arguments: [
    ("let one=1;const two=2;go(one,two)", "let e=1,t=2;go(e,t)"),
    (
      "let one=1;if(one){let two=2;let three=3;go(two)}let four=4",
      "let e=1;if(e){let t=2,r=3;go(t)}let n=4"
    ),
    ("for(let one of all)go(one);let two=1", "for(let e of all)go(e);let t=1"),
    (
      "let one=()=>{let two=1;return two};let three=[1];go(one)",
      "let e=()=>{let t=1;return t},n=[1];go(e)"
    ),
    ("a={on:true,off:false}", "a={on:!0,off:!1}"), ("return true", "return!0"),
    ("view.hasNewText=typed", "n.e=t"),
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
