import TideBindings
import TideLua
import TideScript

extension SpecProblem {
  /// Reads the results of a Lua function that ran a spec's function: nothing, or status, message
  /// and location.
  init?(_ values: [LuaValue]) {
    guard let status = values.first?.text.flatMap(SpecStatus.init(rawValue:)) else { return nil }
    self.init(
      status: status, message: values.count > 1 ? values[1].text : nil,
      trace: SpecTrace(values.dropFirst(2)))
  }

  /// An error that the Lua side could not catch: the function was stopped, or memory is exhausted.
  init(_ error: any Error, limit: Double) {
    let known = error as? TideError ?? (error as? LuaError).map { TideError($0) }
    guard let known else {
      self.init(status: .error, message: "\(error)")
      return
    }
    let text =
      known.code == .scriptTime
      ? "it ran for more than \(Seconds.text(limit)) second\(limit == 1 ? "" : "s")" : known.message
    // A location in the runner's own code is not one in a spec.
    let location = known.location.flatMap { EmbeddedSource.isEmbedded($0.file) ? nil : $0 }
    var message = text
    if let location { message = "\(location.file):\(location.line): \(text)" }
    self.init(
      status: .error, message: message,
      trace: location.map {
        SpecTrace(
          source: "@" + $0.file, file: $0.file, line: $0.line, kind: "Lua", firstLine: -1,
          lastLine: -1, traceback: known.traceback.map { "\n" + $0 + "\n" })
      })
  }

  /// An error that prevents a file from running.
  init(_ file: String, _ error: any Error) {
    switch error {
    case let error as LuaError:
      let location = error.location.map { "\($0)" } ?? file
      self.init(status: .error, message: "\(location): \(error.message)")
    case let error as TideError:
      self.init(
        status: .error,
        message: error.location.map { "\($0): \(error.message)" } ?? "\(file): \(error.message)")
    default: self.init(status: .error, message: "\(file): \(error)")
    }
  }
}
