import Testing
import TideSystem

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the hash is that of the standard`(text: String, hash: String) {
    #expect(SHA256.hash(Array(text.utf8)).hexadecimal == hash)
  }

  @Test func `texts of many blocks are hashed whole`() {
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
    #expect(
      SHA256.hash(text).hexadecimal
        == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
  }

  @Test func `the code of a message needs its key, however long that is`() {
    let message = Array("what do ya want for nothing?".utf8)
    #expect(
      SHA256.authenticationCode(of: message, key: Array("Jefe".utf8)).hexadecimal
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = [UInt8](repeating: 0xAA, count: 131)
    let text = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(
      SHA256.authenticationCode(of: text, key: long).hexadecimal
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}
