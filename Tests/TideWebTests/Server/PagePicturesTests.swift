import Testing

@testable import TideWeb

@Suite struct PagePicturesTests {
  private func picture(_ number: UInt8, size: Int = 100) -> [UInt8] {
    [UInt8](repeating: number, count: size)
  }

  @Test func `a picture that a view shows stays, whatever others take`() throws {
    let pictures = PagePictures(.init(unused: 250, total: 1000, weight: 0))
    let shown = try #require(pictures.add(picture(1)))
    for number in UInt8(2)..<50 { _ = pictures.add(picture(number)) }
    #expect(pictures[shown.address] != nil)
    let latest = pictures.add(picture(49))?.address ?? ""
    #expect(pictures[latest] != nil)
  }

  @Test func `one that is shown no more goes when others need its room`() throws {
    let pictures = PagePictures(.init(unused: 250, total: 1000, weight: 0))
    var shown = pictures.add(picture(1))
    let address = try #require(shown?.address)
    shown = nil
    #expect(pictures[address] != nil)
    // Shown again, it is in use.
    shown = pictures.add(picture(1))
    for number in UInt8(2)..<9 { _ = pictures.add(picture(number)) }
    #expect(pictures[address] != nil)
    shown = nil
    for number in UInt8(2)..<9 { _ = pictures.add(picture(number)) }
    #expect(pictures[address] == nil)
  }

  @Test func `pictures in sight have a bound, and others go before them`() throws {
    let pictures = PagePictures(.init(unused: 250, total: 1000, weight: 0))
    let shown = (1...10).map { pictures.add(picture($0)) }
    #expect(shown.allSatisfy { $0 != nil })
    #expect(pictures.add(picture(11)) == nil)
    #expect(pictures.add(picture(10)) != nil)
  }

  @Test func `small pictures count with what the server needs for each`() {
    let pictures = PagePictures(.init(unused: 250, total: 1000, weight: 100))
    let addresses = (UInt8(1)...20).map { pictures.add(picture($0, size: 1))?.address ?? "" }
    #expect(addresses.count { pictures[$0] != nil } == 2)
  }

  @Test func `one that comes and goes leaves nothing behind`() {
    let pictures = PagePictures(.init(unused: 1000, total: 2000, weight: 0))
    let other = pictures.add(picture(2))?.address ?? ""
    for _ in 0..<1000 { _ = pictures.add(picture(1)) }
    #expect(pictures[other] != nil)
    for number in UInt8(3)..<20 { _ = pictures.add(picture(number)) }
    #expect(pictures[other] == nil)
  }

  @Test func `the address is the hash of the content`() {
    let address = PagePictures().add(Array("abc".utf8))?.address
    #expect(
      address
        == "/image-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.png")
  }
}
