import FoundationEssentials
import Tidelock

/// A server with an actor for each tenant: good and bad requests, deadlines, and its end. With
/// `--soak SECONDS SEED` many clients do all of that at random.
@main struct ServerProgram {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let script = try String(
      decoding: Data(contentsOf: URL(filePath: arguments.first ?? "tenant.lua")), as: UTF8.self)
    if let option = arguments.firstIndex(of: "--soak") {
      let numbers = arguments[(option + 1)...].compactMap { UInt64($0) }
      guard numbers.count == 2 else { return print("usage: server tenant.lua --soak SECONDS SEED") }
      return await Soak(script: script, seed: numbers[1]).run(for: .seconds(Int(numbers[0])))
    }
    await show(script)
  }

  private static func show(_ script: String) async {
    let server = Server(), limit = Duration.seconds(30)
    for name in ["ann", "bob", "eve"] { await server.admit(name, script: script) }

    // One tenant is busy for ever and one hoards; a third is answered meanwhile.
    async let loop = server.answer("eve", "loop", within: limit)
    async let hoard = server.answer("bob", "hoard", within: limit)
    print("ann, total:", await server.answer("ann", "total", within: limit))
    print("eve, loop:", await loop)
    print("bob, hoard:", await hoard)
    print("eve, total:", await server.answer("eve", "total", within: limit))
    print("eve, totl:", await server.answer("eve", "totl", within: limit))
    print("ann, forget:", await server.answer("ann", "forget", within: .milliseconds(50)))

    let client = Task { await server.answer("ann", "forget", within: limit) }
    client.cancel()
    print("ann, forget, and the client goes away:", await client.value)

    await server.dismiss("bob")
    print("bob, total:", await server.answer("bob", "total", within: limit))
    async let waiting = server.answer("ann", "forget", within: limit)
    while await server.requestCount == 0 { await Task.yield() }
    await server.shutDown()
    print("ann, forget, and the server closes:", await waiting)
    print("ann, total:", await server.answer("ann", "total", within: limit))
  }
}
