import TideCheck
import TideTest
import TideBindings
import TideLua
import TideREPL
import TideTerminal

/// A prompt's counterpart: a runtime of this program, or an app in another process.
protocol Conversation: AnyObject {
  /// Splits a text into parts that run one after another.
  func parts(of text: String) -> [PromptScript.Part]
  /// Runs a part of a text. Throws if the connection is lost.
  func run(_ text: String, isComplete: Bool, at origin: ChunkOrigin) throws -> Reply
  /// The numbers of the last text's results, which are the first lines of its reply.
  var results: Range<Int> { get }
  func completion(of text: String) -> Completion
  func isFinished(_ text: String) -> Bool
  /// Runs the event loop while the editor reads.
  func wait(for editor: LineEditor) throws
  /// The exit status once the conversation has ended; nil before.
  var ending: ExitStatus? { get }
  /// Ends the conversation. Returns false if the app refuses to end.
  ///
  /// - Parameter isBound: whether the app must end soon, even if a handler refuses.
  func end(isBound: Bool) throws -> Bool
  /// The exit status at the end of the input.
  var status: ExitStatus { get }
  /// The width in columns for printed values.
  var width: Int { get set }
  /// The text shown before the first prompt.
  var greeting: String { get }
  /// Interrupts scripts on this thread while the editor reads; nil for a remote app.
  var interrupter: LuaInterrupter? { get }
}

extension Conversation {
  var interrupter: LuaInterrupter? { nil }
}

/// The result of a text.
enum Reply {
  case unfinished
  case values([String])
  /// The error as text or JSON, depending on the options.
  case failed(String)
  /// The error of a text that the user has interrupted.
  case interrupted(String)
  /// The user has left the prompt, with an exit status.
  case quit(ExitStatus)
}

/// The index for `:help` at this program's prompts: the API, and the vocabulary of specs.
enum PromptHelp {
  static let index = HelpIndex(definitions: SpecVocabulary.tidelock.definitions)
}
