import TideBindings
import TideLua
import TideREPL
import TideTerminal

/// What a prompt talks with: a runtime of this program, or an app that runs elsewhere.
protocol Conversation: AnyObject {
  /// The parts of a text that run one after another.
  func parts(of text: String) -> [PromptScript.Part]
  /// Runs a part of a text. Throws where nobody is left to talk with.
  func run(_ text: String, isComplete: Bool, at origin: ChunkOrigin) throws -> Reply
  /// The numbers of the values that the last text has given, which are the first lines of its reply.
  var results: Range<Int> { get }
  func completion(of text: String) -> Completion
  func isFinished(_ text: String) -> Bool
  /// Does whatever there is to do while the editor reads.
  func wait(for editor: LineEditor) throws
  /// Set once it is over.
  var ending: ExitStatus? { get }
  /// Ends it, unless the app wants to stay; false then.
  ///
  /// - Parameter isBound: whether it ends soon, even if a handler wants it to stay.
  func end(isBound: Bool) throws -> Bool
  /// How it ends when nobody has more to say.
  var status: ExitStatus { get }
  /// Columns that the text of a value may take.
  var width: Int { get set }
  /// What is said before the first prompt.
  var greeting: String { get }
  /// Stops scripts that run on this thread while the editor should read; nil where there are none.
  var interrupter: LuaInterrupter? { get }
}

extension Conversation {
  var interrupter: LuaInterrupter? { nil }
}

/// What came of a text.
enum Reply {
  case unfinished
  case values([String])
  /// Written for people or programs, as was asked for.
  case failed(String)
  /// The same where a person has stopped it.
  case interrupted(String)
  /// The person leaves, with the status of the program.
  case quit(ExitStatus)
}
