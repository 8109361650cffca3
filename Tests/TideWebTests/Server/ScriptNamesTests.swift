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
    "let total=1;let{b,total,c}=a", "let total=1;a={b,total(){}}",
    "let total=1;say(`${total}`)", "total=1;say(total)", "let a=1,ab=2",
    "f(({total})=>total)", "f((total)=>({a,total}))", "f((total)=>total,a.total)", "f(total,total)",
  ])
  func `what may be the name of something else stays`(script: String) {
    #expect(shortened(script) == script)
  }

  @Test func `texts and regular expressions stay`() {
    let script = #"const total=1;say("total",/total[/"]total/,'total')"#
    #expect(shortened(script) == script.replacing("const total", with: "let e"))
  }
}
