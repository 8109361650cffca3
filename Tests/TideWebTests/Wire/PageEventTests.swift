import Fuzzing
import Testing
import TideViews

@testable import TideWeb

@Suite struct PageEventTests {
  private func event(_ text: String) throws -> PageEvent { try PageEvent(Array(text.utf8)) }

  @Test func `an edit has its place, what it takes out, and what it puts in`() throws {
    let event = try event(#"[3,12,"edit",7,3,1,"a👍b"]"#)
    #expect(event.number == 3)
    #expect(event.message == 12)
    #expect(event.view == 7)
    guard case .edit(let edit) = event.kind else {
      Issue.record("\(event.kind)")
      return
    }
    #expect(edit == PageEdit(start: 3, removed: 1, added: "a👍b"))
  }

  @Test func `what happens to rows names their cells, where the page has them`() throws {
    #expect(try event(#"[1,5,"select",7,3,"shift",21]"#).cells == [21])
    #expect(try event(#"[1,5,"select",7,3,"",0]"#).cells == [0])
    #expect(try event(#"[1,"select",7,3,""]"#).cells.isEmpty)
    #expect(try event(#"[1,5,"move",7,3,4,21,22]"#).cells == [21, 22])
    #expect(try event(#"[1,5,"move",7,3,4,21,22]"#).pressMessage == nil)
    #expect(try event(#"[1,5,"move",7,3,4,21,22,2]"#).pressMessage == 2)
    #expect(try event(#"[1,5,"expand",7,3,true,21]"#).cells == [21])
    #expect(try event(#"[1,"open",7,3]"#).message == nil)
  }

  @Test func `a click has its place, and what was held`() throws {
    guard case .action(.click(2, let place)) = try event(#"[1,"double",7,3,-1,5]"#).kind else {
      Issue.record("no click")
      return
    }
    #expect(place == PointerPosition(Point(x: 3, y: -1), [.shift, .alt]))
  }

  @Test func `a context menu is asked for at a place, or by a key`() throws {
    guard case .menu(nil) = try event(#"[1,"context",7]"#).kind,
      case .menu(PointerPosition(Point(x: 1, y: 2))?) = try event(#"[1,"context",7,1,2,0]"#).kind
    else {
      Issue.record("no menu")
      return
    }
  }

  @Test(arguments: [("80,24", 80, 24), ("-5,-5", 0, 0), ("9223372036854775807,2048", 1000, 400)])
  func `no window is larger than a screen`(text: String, width: Int, height: Int) throws {
    guard case .size(let size) = try event("[1,\"size\",0,\(text)]").kind else {
      return #expect(Bool(false))
    }
    #expect((size.width, size.height) == (width, height))
  }

  @Test(arguments: [("0,5", 0, 5), ("-3,-1", 0, 0), ("0,1000001", 0, 1_000_000)])
  func `an offset stays within what there can be`(text: String, x: Int, y: Int) throws {
    guard case .scroll(let point) = try event("[1,\"scroll\",1,\(text)]").kind else {
      return #expect(Bool(false))
    }
    #expect(point == Point(x: x, y: y))
  }

  @Test func `what a page does by itself is no act of a person`() throws {
    #expect(try !event(#"[1,"rows",7,0,5]"#).isAct)
    #expect(try !event(#"[1,"size",0,80,24]"#).isAct)
    #expect(try event(#"[1,"scroll",7,0,5]"#).isAct)
    #expect(try event(#"[1,"focus",7]"#).isAct)
    #expect(try !event(#"[1,"scroll",0,0,0]"#).isAct)
    #expect(try !event(#"[1,"hover",0,3,0,0,0]"#).isAct)
  }

  @Test(arguments: [
    "", "[", "[]", "{}", "null", "[1]", #"[1,"press"]"#, #"[0,"press",1]"#, #"[-1,"press",1]"#,
    #"[1,"press",-1]"#, #"[1,"press",1,2]"#, #"[1,"set",1,"text","x"]"#, #"["1","press",1]"#,
    #"[1.5,"press",1]"#, #"[1,"edit",1,"x"]"#, #"[1,"edit",1,2,0,0]"#, #"[1,"key",1,"Hyper-x"]"#,
    #"[1,"edit",1,-1,0,"x"]"#, #"[1,"edit",1,0,-1,"x"]"#, #"[1,"edit",1,0,0.5,"x"]"#,
    #"[1,"edit",1,0,0,"x",1]"#, #"[1,-1,"press",1]"#, #"[1,0.5,"press",1]"#, #"[1,1,1,"press",1]"#,
    #"[1,"select",1,0,"",-1]"#, #"[1,"select",1,0,"",1,2]"#, #"[1,"press",1,5]"#,
    #"[1,"rows",1,-1,5]"#, #"[1,"rows",1,0,501]"#, #"[1,"rows",1,9223372036854775807,5]"#,
    #"[1,"menu",1,[1,"x"]]"#, #"[1,"menu",1,[[1]]]"#, #"[1,"select",1,0,"meta"]"#,
    #"[1,"press",1] "x""#, #"[1,"value",1,1e999]x"#, #"[1,"step",1,5]"#, #"[1,"expand",1,0,1]"#,
    #"[1,"click",1]"#, #"[1,"click",1,0,0,8]"#, #"[1,"hover",0,3,0,0]"#, #"[1,"context",1,0]"#,
    #"[1,"scroll",1,0.5,0]"#, #"[1,"scroll",1,0]"#, #"[1,"date",1,5]"#,
    #"[1,"scroll",1,null,0]"#, #"[1,"size",0,null,24]"#, #"[1,"print",0,1]"#,
    #"[1,5,"move",7,3,4,21,22,-1]"#,
    #"[1,5,"move",7,3,4,21,22,0.5]"#, #"[1,5,"move",7,3,4,21,22,"2"]"#,
    #"[1,5,"move",7,3,4,21,22,2,2]"#, #"[1,5,"select",7,3,"",21,2]"#, #"[1,5,"move",7,3]"#,
  ])
  func `what no page sends is refused`(text: String) {
    #expect(throws: (any Error).self) { try event(text) }
  }

  @Test(arguments: 0..<20)
  func `broken messages are harmless`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let messages = [
      #"[3,9,"edit",7,3,4,"a👍b"]"#, #"[4,"rows",8,500,5]"#, #"[5,"menu",9,[0,1,2]]"#,
      #"[6,"key",0,"Ctrl-S"]"#, #"[7,"value",3,0.25]"#, #"[8,"expand",3,5,true]"#,
      #"[9,"hover",0,3,0,0,1]"#, #"[10,"context",3,1,2,0]"#, #"[11,"scroll",4,0,20]"#,
      #"[12,3,"move",4,0,2,7,9,1]"#, #"[13,3,"select",4,0,"ctrl",7]"#,
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
