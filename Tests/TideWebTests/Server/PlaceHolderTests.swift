import Testing
import TideScript

@testable import TideWeb

@Suite struct PlaceHolderTests {
  private static let composed = "Ren\u{E9}e"
  private static let decomposed = "Rene\u{301}e"

  @Test func `names of other bytes are other people's, though Swift takes them for equal`() {
    #expect(Self.composed == Self.decomposed)
    let (one, other) = (
      PlaceHolder(person: Self.composed, browser: nil, address: nil),
      PlaceHolder(person: Self.decomposed, browser: nil, address: nil)
    )
    #expect(one.owner != other.owner && one.keys != other.keys)
    #expect(one.owner == PlaceHolder(person: Self.composed, browser: "a", address: nil).owner)
    #expect(WebPerson(Self.composed) != WebPerson(Self.decomposed))
    #expect(Viewer(name: Self.composed) != Viewer(name: Self.decomposed))
  }

  @Test func `no name is written as another one is`() {
    let names = ["a", "%61", "%C3%A9", "\u{E9}", "person:a", "", "%"]
    let owners = names.map { PlaceHolder(person: $0, browser: nil, address: nil).owner }
    #expect(Set(owners).count == names.count)
    #expect(owners.allSatisfy { $0?.utf8.allSatisfy { $0 < 0x80 } == true })
  }
}
