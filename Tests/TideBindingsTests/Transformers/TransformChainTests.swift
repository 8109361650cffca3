import Testing
import TideGraph

@testable import TideBindings

@Suite struct TransformChainTests {
  let registry = TransformerRegistry()

  /// T of the cases: divides by 100 forward, multiplies by 100 in reverse.
  init() {
    registry.register(
      "T",
      AnyTransformer(
        "T", { Arithmetic.divide($0, 100) }, reverse: { Arithmetic.multiply($0, 100) }))
  }

  func chain(_ text: String) throws -> TransformChain {
    let expression = try BindingExpression(text)
    return try TransformChain(expression.transforms, in: registry, for: expression.arrow)
  }

  @Test func `B3 left to right applies forward`() throws {
    let chain = try chain("rpm -> speed | T")
    #expect(try chain.rightward?(20000) == 200)
    #expect(chain.leftward == nil)
  }

  @Test func `B4 a reversed transformer is the mirror image`() throws {
    let mirrored = try chain("speed <> rpm | !T")
    #expect(try mirrored.leftward?(20000) == 200)
    #expect(try mirrored.rightward?(50) == 5000)
  }

  @Test func `B5 both ways applies forward and back`() throws {
    let chain = try chain("rpm <> speed | T")
    #expect(try chain.rightward?(20000) == 200)
    #expect(try chain.leftward?(50) == 5000)
  }

  @Test func `B6 right to left applies the reverse, and the later spelling forward`() throws {
    let reverse = try chain("rpm <- speed | T")
    #expect(try reverse.leftward?(200) == 20000)
    #expect(reverse.rightward == nil)
    #expect(try chain("rpm <~ speed | T").leftward?(20000) == 200)
    #expect(try chain("rpm ~> speed | T").rightward?(20000) == 200)
    #expect(try chain("rpm <~! speed | T | suffix(x)").leftward?(20000) == "200x")
  }

  @Test func `D9 transformers chain in the order written, and back in reverse order`() throws {
    let chain = try chain("a <> b | scale(2) | offset(1) | suffix(' m')")
    #expect(try chain.rightward?(20) == "41 m")
    #expect(try chain.leftward?("41 m") == 20)
  }

  @Test func `D8 a string becomes a number on its way`() throws {
    #expect(try chain("a -> b | number").rightward?("250") == 250)
    #expect(try chain("a <- b | !number").leftward?("250") == 250)
  }

  @Test(arguments: [
    (
      "a <- b | uppercase", "the transformer \"uppercase\" has no reverse, which the arrow <- needs"
    ),
    (
      "a <> b | trim | scale(2)",
      "the transformer \"trim\" has no reverse, which the arrow <> needs"
    ),
    (
      "a <-! b | scale(2) | round",
      "the transformer \"round\" has no reverse, which the arrow <-! needs"
    ),
    ("a -> b | !length", "the transformer \"length\" has no reverse, which \"!length\" asks for"),
    ("a <> b | !length", "the transformer \"length\" has no reverse, which \"!length\" asks for"),
    ("a <~ b | !length", "the transformer \"length\" has no reverse, which \"!length\" asks for"),
  ])
  func `what lacks the reverse that it needs is refused when made`(text: String, message: String) {
    let error = #expect(throws: TideError.self) { try chain(text) }
    #expect(error?.code == .irreversible)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `B13 an unknown transformer and a missing reverse name their column`() {
    let messages = ["a <> b | scale(2) | upercase", "a <> b | uppercase", "a -> b | clamp(1)"].map {
      text in
      #expect(throws: TideError.self) { try chain(text) }?.message ?? ""
    }
    #expect(
      messages == [
        """
        column 21: there is no transformer "upercase"; did you mean "uppercase"?
          a <> b | scale(2) | upercase
                              ^
        """,
        """
        column 10: the transformer "uppercase" has no reverse, which the arrow <> needs
          a <> b | uppercase
                   ^
        """,
        """
        column 10: clamp(lo, hi) takes 2 arguments, not 1
          a -> b | clamp(1)
                   ^
        """,
      ])
  }

  @Test(arguments: [
    "a -> b | uppercase", "a <~ b | uppercase", "a <- b | !uppercase", "a !-> b | length",
  ])
  func `one that needs no reverse is made`(text: String) throws {
    _ = try chain(text)
  }

  @Test func `no transformers, nothing to apply`() throws {
    let chain = try chain("a <> b")
    #expect(chain.rightward == nil)
    #expect(chain.leftward == nil)
  }

  @Test func `markers pass untouched and unchanged ends the chain`() throws {
    let chain = try chain("a <> b | equals(3) | not")
    #expect(try chain.rightward?(Marker.noSelection.value) == Marker.noSelection.value)
    #expect(try chain.leftward?(true) == .unchanged)
    #expect(try chain.rightward?(3) == false)
  }

  @Test func `the chain says when its value changes by itself`() throws {
    registry.now = { 1000 }
    let timed = try chain("a -> b | offset(-10) | relativeDate | uppercase")
    #expect(try timed.rightward?(950) == "1 MINUTE AGO")
    #expect(timed.renewal?(950) == 1060)
    #expect(try chain("a -> b | uppercase").renewal == nil)
  }
}
