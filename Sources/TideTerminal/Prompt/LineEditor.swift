import CTideTerminal
package import TideBindings
import TideSystem
import TideViews

/// Reads texts of one or more lines at a prompt, below the existing output of the terminal.
///
/// ```swift
/// let editor = LineEditor()
/// editor.isFinished = { !$0.hasSuffix("\\") }
/// editor.onText = { print("read", $0) }
/// try editor.begin(prompt: "> ", continuation: "… ")
/// // when editor.inputDescriptor is readable: editor.readInput()
/// ```
///
/// Enter submits a complete text and otherwise begins another line, as Alt-Enter always does. Up
/// and Down move between lines and through history entries with the typed prefix, Ctrl-R searches
/// the history, and Tab completes. Emacs keys, undo with Ctrl-_, suspending with Ctrl-Z and pasting
/// several lines work as in other prompts. The editor owns the terminal only while it reads; code
/// that runs in between finds it in its normal state. Input typed in the meantime, or after an
/// Enter, is kept for the next prompt.
package final class LineEditor {
  /// Returns the completions of a text: the start of the word, in characters, and the words.
  package var complete: (_ beforeCaret: String) -> (start: Int, words: [String]) = { _ in (0, []) }
  /// Whether Enter submits the text rather than beginning another line.
  package var isFinished: (_ text: String) -> Bool = { _ in true }
  /// The coloured parts of a text, in bytes, and the parameters of their sequences; in ascending
  /// order, without overlaps.
  package var colors: (_ text: String) -> [(range: Range<Int>, codes: String)] = { _ in [] }
  /// Receives a submitted text, after the terminal has been released.
  package var onText: (String) -> Void = { _ in }
  /// Called at Ctrl-D in an empty prompt, and when the terminal has been closed.
  package var onEnd: () -> Void = {}
  /// Called with the number of a signal that asks the program to end.
  package var onSignal: (Int32) -> Void = { _ in }
  /// Called on another thread when Ctrl-C has been unread for half a second because a script blocks
  /// the program while the prompt is shown, and repeatedly until it is read.
  package var onUnheardInterrupt: (@Sendable () -> Void)?
  /// Stops the job; returns when the job is continued.
  var suspendJob: () -> Void = { tide_terminal_suspend() }

  let device: TerminalDevice
  let capabilities: TerminalCapabilities
  var decoder = InputDecoder()
  var editor = TextEditor("", isMultiline: true)
  var history = LineHistory()
  var state = PromptState()
  /// The text deleted last, which Ctrl-Y inserts.
  var killed = ""
  /// Input that arrived after a submitted text, for the next prompt.
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

  /// The history, oldest entry first.
  package var entries: [String] {
    get { history.entries }
    set { history = LineHistory(newValue) }
  }

  /// Shows a prompt and begins to read; does nothing if it is reading already.
  ///
  /// - Throws: `terminal` if there is no terminal or it cannot be set up.
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

  /// Discards input typed ahead, for example after an interrupt.
  package func forgetTypedAhead() {
    typedAhead = []
    decoder = InputDecoder()
  }

  /// The descriptor to read input from; nil while it is not reading.
  package var inputDescriptor: Int32? { isReading ? tide_terminal_descriptor() : nil }

  /// Reads and handles the available input.
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

  /// Stops the job, as is usual for Ctrl-Z; the prompt is redrawn when the job is continued.
  func suspend() {
    let caret = editor.caret
    editor.move(to: editor.end)
    draw()
    write("\r\n")
    state.caretRow = 0
    editor.move(to: caret)
    suspendJob()
  }

  /// The number of columns of the terminal.
  package var columns: Int { device.size.width }

  /// Stops reading and releases the terminal.
  package func stop() { if isReading { finish() } }

  /// Prints lines above the prompt.
  package func printAbove(_ text: String) {
    guard isReading else { return }
    write(Self.clearing(state.caretRow) + Self.lines(text) + "\r\n")
    state.caretRow = 0
    draw()
  }

  /// Leaves the typed text on the screen, and releases the terminal.
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

  /// Reads the input typed so far, while the terminal is still in raw mode.
  private func readAhead() {
    var left = Self.mostReadAhead
    while left > 0, case .bytes(let bytes) = device.read() {
      typedAhead += decoder.decode(bytes)
      left -= bytes.count
    }
  }

  /// The maximum number of bytes to read ahead; the rest stays in the terminal's queue.
  private static let mostReadAhead = 1 << 20
}
