import Testing
import TideScript

@testable import TideShare

/// The deletion of old marks, with a server that answers as the test says.
@Suite struct MarkCleanerTests {
  private final class Server {
    let stream = JetStream(bucket: "tests")
    var horizonSubject: String { stream.horizonSubject(ofModel: "room") }
    var created = "monday"
    var isDenying = false
    var horizonAnswer = "{\"stream\":\"KV_tests\",\"seq\":5000}"
    /// What comes of a deletion.
    var deletionAnswer: NatsLink.Answer = .content(ServerAnswer(Array("{\"success\":true}".utf8)))
    /// The horizons that were written.
    private(set) var horizons: [String] = []
    /// How often something was to be deleted.
    private(set) var deletions = 0
    private var waiting: [() -> Void] = []

    func cleaner(marks: Int = 3) -> MarkCleaner {
      let cleaner = MarkCleaner(stream, horizonSubject: horizonSubject) {
        [unowned self] subject, data, _, take in
        let answer = answer(subject, String(decoding: data, as: UTF8.self))
        waiting.append { take(answer) }
      }
      note(marks, cleaner)
      return cleaner
    }

    func note(_ marks: Int, _ cleaner: MarkCleaner) {
      for revision in 1...marks { cleaner.note(revision, at: Double(revision) / 1000) }
    }

    private func answer(_ subject: String, _ text: String) -> NatsLink.Answer {
      switch subject {
      case stream.infoSubject:
        let config = isDenying ? "{\"deny_delete\":true}" : "{}"
        return content("{\"created\":\"\(created)\",\"config\":\(config)}")
      case horizonSubject:
        horizons.append(text)
        return content(horizonAnswer)
      default:
        deletions += 1
        return deletionAnswer
      }
    }

    func content(_ text: String) -> NatsLink.Answer { .content(ServerAnswer(Array(text.utf8))) }

    func failure(_ text: String, _ code: Int = 10_057) -> NatsLink.Answer {
      content("{\"error\":{\"code\":500,\"err_code\":\(code),\"description\":\"\(text)\"}}")
    }

    /// Lets answers arrive until there are none, or something holds.
    func run(until condition: () -> Bool = { false }) {
      while !condition(), !waiting.isEmpty { waiting.removeFirst()() }
    }

    func clean(_ cleaner: MarkCleaner) {
      cleaner.begin(10, at: 100, in: "monday")
      run()
    }
  }

  @Test func `old marks are deleted behind a horizon`() {
    let server = Server()
    let cleaner = server.cleaner()
    server.clean(cleaner)
    #expect(server.horizons == ["3"] && server.deletions == 3)
    server.clean(cleaner)
    #expect(server.deletions == 3)
  }

  @Test func `nothing of another bucket is deleted`() {
    let server = Server()
    let cleaner = server.cleaner(marks: 1000)
    cleaner.begin(10, at: 100, in: "monday")
    server.run { server.deletions == 110 }
    server.created = "tuesday"
    server.run()
    #expect(server.deletions == 120)
    // The bucket is not looked at for the horizon alone.
    server.clean(cleaner)
    #expect(server.horizons.count == 1 && server.deletions == 120)
  }

  @Test func `a deletion ends when the model is listed anew or the connection is lost`() {
    let server = Server()
    let cleaner = server.cleaner(marks: 10)
    cleaner.begin(10, at: 100, in: "monday")
    server.run { server.deletions == 3 }
    cleaner.stop()
    server.run()
    #expect(server.deletions == 3)
    // The answer to the third is not known.
    server.clean(cleaner)
    #expect(server.deletions == 11)
    server.note(10, cleaner)
    cleaner.begin(10, at: 100, in: "monday")
    server.run { server.deletions == 14 }
    cleaner.forget()
    server.run()
    server.clean(cleaner)
    #expect(server.deletions == 14)
  }

  @Test func `a horizon that another bucket has got deletes nothing`() {
    let server = Server()
    let cleaner = server.cleaner()
    server.horizonAnswer = "{\"stream\":\"KV_tests\",\"seq\":2}"
    server.clean(cleaner)
    #expect(server.horizons == ["3"] && server.deletions == 0)
  }

  @Test func `who comes second with a horizon tries again later, as the first may be gone`() {
    let server = Server()
    let cleaner = server.cleaner()
    server.horizonAnswer =
      "{\"error\":{\"code\":400,\"err_code\":10071,\"description\":\"wrong last sequence\"}}"
    server.clean(cleaner)
    #expect(server.horizons == ["3"] && server.deletions == 0)
    #expect(cleaner.noteHorizon(Array("2".utf8), 5000) == 2)
    server.horizonAnswer = "{\"stream\":\"KV_tests\",\"seq\":5001}"
    server.clean(cleaner)
    #expect(server.horizons == ["3", "3"] && server.deletions == 3)
  }

  @Test func `a late answer puts the deletion off, and two in a row end it`() {
    let server = Server()
    let cleaner = server.cleaner()
    let success = server.deletionAnswer
    server.deletionAnswer = .none
    server.clean(cleaner)
    #expect(cleaner.noteHorizon(Array("3".utf8), 5000) == 3)
    server.deletionAnswer = success
    server.clean(cleaner)
    // The horizon is there already.
    #expect(server.horizons == ["3"] && server.deletions == 4)
    server.note(3, cleaner)
    server.deletionAnswer = .none
    for _ in 0..<4 { server.clean(cleaner) }
    #expect(server.deletions == 6)
  }

  @Test func `a server that is not there for a moment puts the deletion off`() {
    let server = Server()
    let cleaner = server.cleaner()
    for answer in [NatsLink.Answer.nobody, server.failure("insufficient resources"), .nobody] {
      server.deletionAnswer = answer
      server.clean(cleaner)
    }
    #expect(server.deletions == 3)
    // Marks that others have deleted meanwhile are passed over.
    server.deletionAnswer = server.failure("no message found")
    server.clean(cleaner)
    #expect(server.deletions == 6)
    server.clean(cleaner)
    #expect(server.deletions == 6)
  }

  @Test func `a server that forbids deletions is not asked again`() {
    let server = Server()
    let cleaner = server.cleaner()
    server.deletionAnswer = server.failure("message delete not permitted")
    for _ in 0..<3 { server.clean(cleaner) }
    #expect(server.deletions == 1)
  }

  @Test func `a bucket that allows no deletion gets no horizon`() {
    let server = Server()
    server.isDenying = true
    let cleaner = server.cleaner()
    for _ in 0..<3 { server.clean(cleaner) }
    #expect(server.horizons.isEmpty && server.deletions == 0)
  }
}
