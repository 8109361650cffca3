import CTideTerminal
package import TideBindings
import TideSystem
import TideViews

/// Reads texts at a prompt, of one line or several, below what the terminal already shows.
///
/// ```swift
/// let editor = LineEditor()
/// editor.isFinished = { !$0.hasSuffix("\\") }
/// editor.onText = { print("read", $0) }
/// try editor.begin(prompt: "> ", continuation: "… ")
/// // when editor.inputDescriptor is readable: editor.readInput()
/// ```
///
/// Enter gives a finished text and otherwise begins another line, as Alt-Enter always does. Arrows
/// move and go through the entries of the history that begin as what is typed, Ctrl-R searches for
/// any part of one, Tab completes; Emacs' keys, undo with Ctrl-_, Ctrl-Z to suspend and pasting of
/// many lines work as in other prompts. It has the terminal only while it reads: what runs in
/// between finds it as usual. What is typed meanwhile, or behind an Enter, is for the next prompt.
package final class LineEditor {
  /// What a text could go on with: where the word begins, in characters, and the words.
  package var complete: (_ beforeCaret: String) -> (start: Int, words: [String]) = { _ in (0, []) }
  /// Whether Enter gives the text or goes on with another line.
  package var isFinished: (_ text: String) -> Bool = { _ in true }
  /// The parts of a text that are coloured, in bytes, and the parameters of the sequences that do so;
  /// in order, and apart from each other.
  package var colors: (_ text: String) -> [(range: Range<Int>, codes: String)] = { _ in [] }
  /// Gets a finished text; the terminal is given back before.
  package var onText: (String) -> Void = { _ in }
  /// Called at Ctrl-D in an empty prompt, and when the terminal is gone.
  package var onEnd: () -> Void = {}
  /// Called with the number of a signal that asks the program to end.
  package var onSignal: (Int32) -> Void = { _ in }
  /// Called on another thread when Ctrl-C has not been read for half a second, because a script
  /// keeps the program busy while the prompt is shown, and then again until it is.
  package var onUnheardInterrupt: (@Sendable () -> Void)?
  /// Stops the job and returns when it goes on.
  var suspendJob: () -> Void = { tide_terminal_suspend() }

  let device: TerminalDevice
  let capabilities: TerminalCapabilities
  var decoder = InputDecoder()
  var editor = TextEditor("", isMultiline: true)
  var history = LineHistory()
  var state = PromptState()
  /// What was taken away last, which Ctrl-Y puts back.
  var killed = ""
  /// What was typed and has not been acted on, because a text was finished before it.
  private var typedAhead: ArraySlice<InputEvent> = []
  /// Whether a line is being read.
  package private(set) var isReading = false
  private var watchdog: InterruptWatchdog?

  /// Makes an editor that reads and writes two descriptors of a terminal.
  package init(input: Int32 = 0, output: Int32 = 1) {
    device = TerminalDevice(input: input, output: output)
    capabilities = TerminalCapabilities.detect { name in getenv(name).map { String(cString: $0) } }
  }

  deinit { if isReading { device.release() } }

  /// What was typed before, oldest first.
  package var entries: [String] {
    get { history.entries }
    set { history = LineHistory(newValue) }
  }

  /// Shows a prompt and begins to read. Does nothing while it reads already.
  ///
  /// - Throws: `terminal` when there is none, or it cannot be set up.
  package func begin(prompt: String, continuation: String) throws(TideError) {
    if isReading { return }
    try device.takeLine(capabilities)
    watchdog = onUnheardInterrupt.map { call in InterruptWatchdog.watch { _ in call() } }
    isReading = true
    state = PromptState(prompt: prompt, continuation: continuation)
    editor = TextEditor("", isMultiline: true)
    draw()
    actOnInput()
    if isReading { tide_terminal_set_timer(Int32(decoder.patience ?? 0)) }
  }

  /// Forgets what was typed ahead, as after an interrupt.
  package func forgetTypedAhead() {
    typedAhead = []
    decoder = InputDecoder()
  }

  /// Where input arrives while it reads.
  package var inputDescriptor: Int32? { isReading ? tide_terminal_descriptor() : nil }

  /// Takes what was typed.
  package func readInput() {
    takeSignals()
    var hasRead = false
    reading: while isReading {
      switch device.read() {
      case .bytes(let bytes):
        hasRead = true
        take(decoder.decode(bytes))
      case .nothing: break reading
      case .closed:
        finish()
        onEnd()
        return
      }
    }
    guard isReading else { return }
    let hasPaused = tide_terminal_timer_fired() && !hasRead
    if hasPaused { take(decoder.flush()) }
    guard isReading else { return }
    if hasPaused || hasRead { tide_terminal_set_timer(Int32(decoder.patience ?? 0)) }
    watchdog?.isInPaste = decoder.isInPaste
  }

  private func takeSignals() {
    while isReading {
      switch tide_terminal_next_signal() {
      case 0: return
      case SIGWINCH, SIGCONT: draw()
      case Int32(TIDE_TERMINAL_WAKE): continue
      case let number:
        finish()
        onSignal(number)
      }
    }
  }

  private func take(_ events: [InputEvent]) {
    typedAhead += events
    actOnInput()
  }

  private func actOnInput() {
    while isReading, let event = typedAhead.popFirst() {
      switch event {
      case .key(let key): act(on: key)
      case .paste(let text):
        if state.search != nil { extendSearch(by: text) } else { editor.insert(text) }
        draw()
      case .mouse, .resize: break
      }
    }
  }

  /// Stops the job, as a shell expects at Ctrl-Z; the prompt is drawn anew when it goes on.
  func suspend() {
    let caret = editor.caret
    editor.move(to: editor.end)
    draw()
    write("\r\n")
    state.caretRow = 0
    editor.move(to: caret)
    suspendJob()
  }

  /// Columns of the terminal.
  package var columns: Int { device.size.width }

  /// Gives the terminal back, because there is nothing more to read for.
  package func stop() { if isReading { finish() } }

  /// Writes lines above the prompt.
  package func printAbove(_ text: String) {
    guard isReading else { return }
    write(Self.clearing(state.caretRow) + Self.lines(text) + "\r\n")
    state.caretRow = 0
    draw()
  }

  /// Leaves what was typed where it is, and gives the terminal back.
  func finish() {
    state.clear()
    editor.move(to: editor.end)
    draw()
    write("\r\n")
    isReading = false
    readAhead()
    device.release()
    watchdog = nil
  }

  /// Reads what has been typed already, while its Enters are keys and no line ends.
  private func readAhead() {
    var left = Self.mostReadAhead
    while left > 0, case .bytes(let bytes) = device.read() {
      typedAhead += decoder.decode(bytes)
      left -= bytes.count
    }
  }

  /// In bytes; more stays with the terminal.
  private static let mostReadAhead = 1 << 20
}
