import Testing
import TideViews

@testable import TideTerminal

@Suite struct InputDecoderMouseTests {
  @Test(
    arguments: [
      ("[<0;10;20M", MouseEvent(.press(.left), at: Point(x: 9, y: 19))),
      ("[<0;10;20m", MouseEvent(.release(.left), at: Point(x: 9, y: 19))),
      ("[<1;1;1M", MouseEvent(.press(.middle), at: .zero)),
      ("[<2;300;200M", MouseEvent(.press(.right), at: Point(x: 299, y: 199))),
      ("[<32;5;6M", MouseEvent(.drag(.left), at: Point(x: 4, y: 5))),
      ("[<64;5;6M", MouseEvent(.scroll(-3), at: Point(x: 4, y: 5))),
      ("[<65;5;6M", MouseEvent(.scroll(3), at: Point(x: 4, y: 5))),
      (
        "[<20;5;6M",
        MouseEvent(.press(.left), at: Point(x: 4, y: 5), modifiers: [.shift, .control])
      ),
      ("[<8;5;6M", MouseEvent(.press(.left), at: Point(x: 4, y: 5), modifiers: .alt)),
      ("[32;5;6M", MouseEvent(.press(.left), at: Point(x: 4, y: 5))),
      ("[35;5;6M", MouseEvent(.release(.left), at: Point(x: 4, y: 5))),
      ("[M !!", MouseEvent(.press(.left), at: .zero)),
      ("[M#!!", MouseEvent(.release(.left), at: .zero)),
      ("[Ma%&", MouseEvent(.scroll(3), at: Point(x: 4, y: 5))),
    ] as [(String, MouseEvent)])
  func `reports are understood, split at every byte`(text: String, expected: MouseEvent) {
    let bytes = Array(("\u{1b}" + text).utf8)
    for split in bytes.indices {
      let events = decode([Array(bytes[..<split]), Array(bytes[split...]), Array("x".utf8)])
      #expect(events == [.mouse(expected), .key(Key("x" as Character))], "split at \(split)")
    }
  }

  @Test(arguments: ["[<35;5;6M", "[<66;5;6M", "[<128;5;6M", "[<0;5M", "[<;;M", "[<3;1;1M"])
  func `moves without a button, wheels to the side and nonsense give nothing`(text: String) {
    #expect(decode([Array(("\u{1b}" + text).utf8)]) == [])
  }
}
