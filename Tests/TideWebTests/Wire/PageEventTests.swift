import Fuzzing
import Testing
import TideViews

@testable import TideWeb

@Suite struct PageEventTests {
  private func event(_ text: String) throws -> PageEvent { try PageEvent(Array(text.utf8)) }

  @Test func `an edit has its text and its selection in characters`() throws {
    let event = try event(#"[3,"edit",7,"a👍b",3,4]"#)
    #expect(event.number == 3)
    #expect(event.view == 7)
    guard case .action(.edit("a👍b", let selection)) = event.kind else {
      Issue.record("\(event.kind)")
      return
    }
    #expect(selection == 2..<3)
  }

  @Test(arguments: [
    "", "[", "[]", "{}", "null", "[1]", #"[1,"press"]"#, #"[0,"press",1]"#, #"[-1,"press",1]"#,
    #"[1,"press",-1]"#, #"[1,"press",1,2]"#, #"[1,"set",1,"text","x"]"#, #"["1","press",1]"#,
    #"[1.5,"press",1]"#, #"[1,"edit",1,"x"]"#, #"[1,"edit",1,2,0,0]"#, #"[1,"key",1,"Hyper-x"]"#,
    #"[1,"rows",1,-1,5]"#, #"[1,"rows",1,0,501]"#, #"[1,"rows",1,9223372036854775807,5]"#,
    #"[1,"menu",1,[1,"x"]]"#, #"[1,"menu",1,[[1]]]"#, #"[1,"select",1,0,"meta"]"#,
    #"[1,"press",1] "x""#, #"[1,"value",1,1e999]x"#, #"[1,"step",1,5]"#, #"[1,"expand",1,0,1]"#,
  ])
  func `what no page sends is refused`(text: String) {
    #expect(throws: (any Error).self) { try event(text) }
  }

  @Test(arguments: 0..<20)
  func `broken messages are harmless`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let messages = [
      #"[3,"edit",7,"a👍b",3,4]"#, #"[4,"rows",8,500,5]"#, #"[5,"menu",9,[0,1,2]]"#,
      #"[6,"key",0,"Ctrl-S"]"#, #"[7,"value",3,0.25]"#, #"[8,"expand",3,5,true]"#,
    ]
    for _ in 0..<500 {
      var bytes = Array(messages.randomElement(using: &random)!.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[index], at: index)
        }
      }
      if let event = try? PageEvent(bytes) { #expect(event.number > 0 && event.view >= 0) }
    }
  }
}
