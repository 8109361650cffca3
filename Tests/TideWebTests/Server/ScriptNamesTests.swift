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
    ("let one=1;const two=2;go(one,two)", "let A=1,B=2;go(A,B)"),
    (
      "let one=1;if(one){let two=2;let three=3;go(two)}let four=4",
      "let A=1;if(A){let B=2,D=3;go(B)}let C=4"
    ),
    ("for(let one of all)go(one);let two=1", "for(let A of all)go(A);let B=1"),
    (
      "let one=()=>{let two=1;return two};let three=[1];go(one)",
      "let A=()=>{let B=1;return B},C=[1];go(A)"
    ),
    ("a={on:true,off:false}", "a={on:!0,off:!1}"), ("return true", "return!0"),
    ("view.hasNewText=typed", "C.A=B"),
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
