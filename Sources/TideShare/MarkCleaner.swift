/// Deletes the old marks of a model at the server, one after another.
///
///     bucket is checked ──▶ horizon is written ──▶ marks are deleted ──┐
///                                                   ▲ bucket is checked│
///                                                   └──────────────────┘
///
/// A mark is identified by its number, which belongs to another message in another bucket. So the
/// deletion stops if the bucket may have changed, and checks the bucket before it resumes.
final class MarkCleaner {
  /// Sends a request to the server. `base` is the revision that the subject must have.
  typealias Request = (
    _ subject: String, _ data: [UInt8], _ base: Int?, _ take: @escaping (NatsLink.Answer) -> Void
  ) -> Void

  private var marks = RemovalMarks()
  private var state = State.idle
  /// Answers to requests of an earlier run are ignored.
  private var run = 0
  /// The bucket of the marks that are being deleted.
  private var bucket = ""
  /// The number of consecutive writes and deletions without an answer.
  private var timeouts = 0
  private let stream: JetStream
  private let horizonSubject: String
  private let request: Request

  private enum State {
    case idle
    /// Marks that remain to be deleted.
    case deleting(ArraySlice<RemovalMarks.Mark>)
    /// The server or the bucket does not allow deletions.
    case refused
  }

  /// The number of marks to delete between two checks of the bucket.
  private static let deletionsPerCheck = 20
  /// A server does not answer forbidden requests. After this number of requests without an answer,
  /// deletion stops for good.
  private static let mostTimeouts = 2

  init(_ stream: JetStream, horizonSubject: String, _ request: @escaping Request) {
    self.stream = stream
    self.horizonSubject = horizonSubject
    self.request = request
  }

  // MARK: Marks

  /// Remembers a mark that has been received.
  func note(_ revision: Int, at time: Double) { marks.note(revision, at: time) }

  /// Adopts a horizon of the server. Returns nil if the bytes are not a horizon.
  func noteHorizon(_ bytes: [UInt8], _ revision: Int) -> Int? { marks.noteHorizon(bytes, revision) }

  /// Forgets all marks, because the model is listed anew, perhaps from another bucket.
  func forget() {
    marks = RemovalMarks()
    state = .idle
    run += 1
    timeouts = 0
  }

  // MARK: Deletion

  /// Deletes the marks that are old enough, if the oldest is due.
  ///
  /// - Parameters:
  ///   - age: the minimum age of a mark, in seconds.
  ///   - now: the server's time of the latest message.
  ///   - bucket: when the bucket was created, as the server writes it.
  func begin(_ age: Double, at now: Double, in bucket: String) {
    guard case .idle = state else { return }
    let old = marks.takeOld(age, at: now)
    guard let last = old.last else { return }
    state = .deleting(old[...])
    self.bucket = bucket
    check { $0.writeHorizon(last.revision) }
  }

  /// Stops for now. The remaining marks are deleted later.
  func stop() { end(isRefused: false) }

  private func end(isRefused: Bool) {
    guard case .deleting(let rest) = state else { return }
    marks.putBack(rest)
    state = isRefused ? .refused : .idle
    run += 1
  }

  /// Continues if the bucket is the known one and allows deletions.
  private func check(_ then: @escaping (MarkCleaner) -> Void) {
    let wanted = run
    request(stream.infoSubject, [], nil) { [weak self] answer in
      guard let self, run == wanted else { return }
      guard case .content(let content) = answer, content["created"] == bucket else { return stop() }
      if content["config.deny_delete"] == "true" { return end(isRefused: true) }
      then(self)
    }
  }

  private func writeHorizon(_ last: Int) {
    // An earlier run has written the horizon.
    if marks.horizon >= last { return deleteNext() }
    ask(horizonSubject, Array("\(last)".utf8), base: marks.horizonRevision) { cleaner, content in
      // Another program may have written a horizon, or the bucket is another one, where the number
      // may be smaller.
      guard content.failure == nil, content.number("seq") ?? 0 > last else { return cleaner.stop() }
      cleaner.timeouts = 0
      cleaner.deleteNext()
    }
  }

  /// - Parameter rounds: the number of marks to delete before the next check of the bucket.
  private func deleteNext(_ rounds: Int = MarkCleaner.deletionsPerCheck) {
    guard case .deleting(let rest) = state else { return }
    guard let mark = rest.first else { return state = .idle }
    if rounds == 0 { return check { $0.deleteNext() } }
    ask(stream.messageDeletionSubject, JetStream.deletion(of: mark.revision)) { cleaner, content in
      // A mark that does not exist any more counts as deleted.
      if let failure = content.failure, !failure.isOfMissingMessage {
        return cleaner.end(isRefused: failure.isForbidden)
      }
      cleaner.timeouts = 0
      cleaner.state = .deleting(rest.dropFirst())
      cleaner.deleteNext(rounds - 1)
    }
  }

  /// Sends a request to the server, and stops if no answer arrives.
  private func ask(
    _ subject: String, _ data: [UInt8], base: Int? = nil,
    _ take: @escaping (MarkCleaner, ServerAnswer) -> Void
  ) {
    let wanted = run
    request(subject, data, base) { [weak self] answer in
      guard let self, run == wanted else { return }
      switch answer {
      case .content(let content): take(self, content)
      case .nobody: stop()
      case .none:
        timeouts += 1
        end(isRefused: timeouts >= Self.mostTimeouts)
      }
    }
  }
}
