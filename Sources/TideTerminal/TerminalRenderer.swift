import CTideTerminal
public import TideBindings
import TideSystem
public import TideViews

/// Shows a scene in the terminal, in colour, with keyboard and mouse input.
///
/// ```swift
/// let terminal = TerminalRenderer()
/// terminal.onEnding = { _ in isEnding = true }
/// try scene.mount(terminal)
/// // when terminal.inputDescriptor is readable: terminal.readInput(); try scene.commit()
/// scene.unmount()
/// ```
///
/// It takes over the terminal (alternate screen, raw keys, mouse) and restores it on every way out:
/// `unmount`, `exit`, signals, crashes. Only one renderer of a process may be mounted. Output
/// printed in the meantime goes to a log, which F12 shows, and is copied to standard output at the
/// end. If no view handles them, Ctrl-Z suspends the app, unless a text has the focus, and Ctrl-L
/// redraws the screen.
///
/// It does not own the scene, and must be used on the scene's thread; only `onUnheardInterrupt` is
/// called on another thread.
public final class TerminalRenderer {
  /// The reason why the program should end.
  ///
  /// ```swift
  /// terminal.onEnding = { ending in
  ///   if case .failed(let error) = ending { print(error) }
  /// }
  /// ```
  public enum Ending: Sendable {
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT was received. Unless `unmount` is called within two
    /// seconds, or if another such signal arrives, the process terminates.
    case signal(Int32)
    /// The terminal was closed.
    case closed
    /// A frame could not be written.
    case failed(TideError)
  }

  /// Called with keys before the views, while the log is shown and no text has the focus. Returns
  /// whether it handled the key.
  package var onLogKey: (Key) -> Bool = { _ in false }
  /// Receives input that neither a view nor the renderer handled.
  public var onUnhandled: (InputEvent) -> Void = { _ in }
  /// Called when the terminal or a signal asks the app to end.
  public var onEnding: (Ending) -> Void = { _ in }
  /// Called after `onEnding` with the exit code for the program.
  public var onQuit: (Int32) -> Void = { _ in }
  /// Called with a notice for the user, such as that a text is too long for the terminal's
  /// clipboard. The notice is also added to the log.
  package var onNotice: (String) -> Void = { _ in }
  /// Called on another thread when Ctrl-C has been unread for half a second because a script blocks
  /// the program, and repeatedly until it is read. Once read, it is an ordinary key. The parameter
  /// is true if Ctrl-C was pressed again and earlier calls have had no effect. Must be set before
  /// the renderer is mounted.
  package var onUnheardInterrupt: (@Sendable (_ isInsistent: Bool) -> Void)?

  let device: TerminalDevice
  let capabilities: TerminalCapabilities
  var screen: TerminalScreen
  var decoder = InputDecoder()
  var queue = InputQueue()
  /// The frame that the terminal shows, as the history of selections counts them; nil without one.
  var shownFrame: Int?
  /// How long handlers may run before a frame is drawn, in seconds: half of the 50 ms that may pass
  /// between frames, since another handler may start just before the end.
  var timeOfTurn = 0.025
  var clicks = ClickCounter()
  var log = OutputLog()
  private(set) var isMounted = false
  /// Whether mouse movements without a button are reported, because a view handles `hover`.
  private(set) var reportsMotion = false
  private(set) var watchdog: InterruptWatchdog?
  private(set) weak var scene: Scene?

  /// Makes a renderer for a terminal, which is taken over when a scene is mounted.
  ///
  /// - Parameters:
  ///   - input: a descriptor of the terminal; standard input by default.
  ///   - output: another descriptor of the same terminal; standard output by default.
  ///   - usesColor: false for no colours, true to override `NO_COLOR`; nil follows the environment.
  ///   - handlesSignals: whether to install signal handlers; without them the host has to call
  ///     `unmount` on every way out.
  ///   - capturesOutput: whether output of the process to standard output and standard error goes
  ///     to the log, if they are terminals.
  public convenience init(
    input: Int32 = 0, output: Int32 = 1, usesColor: Bool? = nil, handlesSignals: Bool = true,
    capturesOutput: Bool = true
  ) {
    var capabilities = TerminalCapabilities.detect { name in
      if name == "NO_COLOR" && usesColor == true { return nil }
      return getenv(name).map { String(cString: $0) }
    }
    if usesColor == false { capabilities.colors = .none }
    self.init(
      input: input, output: output, capabilities: capabilities, handlesSignals: handlesSignals,
      capturesOutput: capturesOutput)
  }

  init(
    input: Int32, output: Int32, capabilities: TerminalCapabilities, handlesSignals: Bool,
    capturesOutput: Bool
  ) {
    device = TerminalDevice(
      input: input, output: output, handlesSignals: handlesSignals, capturesOutput: capturesOutput)
    self.capabilities = capabilities
    screen = TerminalScreen(capabilities)
  }

  deinit { if isMounted { device.release() } }

  /// Lines in a box over everything else, such as help or an error; nil for none.
  public var overlay: [String]? {
    get { screen.composition.overlay }
    set {
      if newValue == screen.composition.overlay { return }
      screen.composition.overlay = newValue
      refresh(always: true)
    }
  }

  /// What the box leaves in sight, because it takes the keys; nil for nothing.
  package var besideOverlay: () -> Rect? {
    get { screen.composition.besideOverlay }
    set { screen.composition.besideOverlay = newValue }
  }

  /// Whether the log covers the bottom third.
  package var isLogShown: Bool {
    get { screen.composition.isLogShown }
    set {
      if newValue == screen.composition.isLogShown { return }
      screen.composition.isLogShown = newValue
      refresh(always: true)
    }
  }

  /// The keys that `onLogKey` handles, shown in the heading of the log.
  package var logHint: String? {
    get { screen.composition.logHint }
    set { screen.composition.logHint = newValue }
  }

  /// A line below the scene, if the terminal is high enough; nil leaves all rows to the scene.
  package var status: StatusLine? {
    get { screen.composition.status }
    set {
      if newValue == screen.composition.status { return }
      screen.composition.status = newValue
      guard isMounted, let scene else { return }
      if scene.size == sceneSize { refresh(always: true) } else { scene.resize(sceneSize) }
    }
  }

  /// The size of the text that fits into an overlay.
  package var overlayRoom: Size { OverlayPane.room(in: screen.size) }

  /// The size that remains for the scene.
  var sceneSize: Size { screen.sceneSize }

  /// Appends a line to the log.
  public func log(_ line: String) {
    log.append(line)
    redrawLog()
  }

  /// Appends lines to the log that are not copied to standard output at the end.
  package func logForNow(_ lines: String) {
    log.insert(lines)
    redrawLog()
  }

  private func redrawLog() {
    guard isLogShown, !screen.isLogStale else { return }
    screen.isLogStale = true
    tide_terminal_wake()
  }

  /// Restores the terminal, stops the whole job, and takes over the terminal again when the job is
  /// continued.
  package func suspend() { tide_terminal_suspend() }

  /// Whether Ctrl-C raises a signal, which works even while a script keeps keys from being read;
  /// otherwise it is a key. A terminal with kitty's key protocol always sends a key.
  package var raisesInterrupts = false {
    didSet { tide_terminal_raise_interrupts(raisesInterrupts) }
  }

  /// Restores the terminal immediately, whichever renderer or prompt owns it, for a process that is
  /// about to end. Safe to call from a signal handler.
  package static func giveBackTerminal() { tide_terminal_leave() }

  /// Writes every cell again, because other output has overwritten the terminal.
  package func repaint() {
    screen.forget()
    refresh(always: true)
  }

  /// Updates the panes; errors go to `onEnding`.
  func refresh(always: Bool = false) {
    let isNew = log.drain()
    guard always || (isLogShown && (isNew || screen.isLogStale)) else { return }
    do throws(TideError) {
      try draw(areas: nil)
    } catch {
      end(.failed(error))
    }
  }

  private func draw(areas: [Rect]?) throws(TideError) {
    guard isMounted,
      let bytes = screen.update(areas: areas, scene: scene, log: log.lines), !bytes.isEmpty
    else { return }
    // While the job is suspended, nothing is written; everything is redrawn afterwards.
    if try !device.write(bytes) { screen.forget() }
  }
}

extension TerminalRenderer: Renderer {
  /// Takes over the terminal and begins to read keys and the mouse.
  ///
  /// - Throws: `TideError` if the descriptors are not a terminal, or another renderer owns it.
  public func mount(_ scene: Scene) throws {
    try device.take(capabilities)
    watchdog = onUnheardInterrupt.map(InterruptWatchdog.watch)
    isMounted = true
    self.scene = scene
    log.restart()
    decoder = InputDecoder()
    queue = InputQueue()
    if !capabilities.isUnicode {
      // Texts keep their characters: the encoder has better replacements than a question mark.
      var symbols = Symbols.ascii
      symbols.isUnicode = true
      scene.symbols = symbols
    }
    screen.begin(device.size)
    scene.resize(sceneSize)
    scene.clipboard.onCopy = { [weak self] in self?.offer($0) }
    scene.onHoverInterest = { [weak self] in self?.reportMotion($0) }
    scene.recordSelections()
  }

  /// Writes the changes since the last frame.
  ///
  /// - Throws: `TideError` if writing to the terminal fails.
  public func render(_ changes: Changes) throws {
    readBeforeFrame()
    guard isMounted else { return }
    _ = log.drain()
    screen.frame = changes.frame
    try draw(areas: changes.isWhole ? nil : changes.areas)
    noteShown()
  }

  /// Adds a notice to the log and passes it to the host.
  public func notify(_ text: String) {
    log(text)
    onNotice(text)
  }

  /// Restores the terminal. Does nothing if no scene is mounted.
  public func unmount() {
    guard isMounted else { return }
    isMounted = false
    scene?.clipboard.onCopy = nil
    scene?.onHoverInterest = nil
    reportsMotion = false
    screen.frame = nil
    device.release()
    watchdog = nil
  }

  /// Readable when keys, mouse events or signals are available; nil while no scene is mounted.
  public var inputDescriptor: Int32? { isMounted ? tide_terminal_descriptor() : nil }
}

extension TerminalRenderer: InteractiveRenderer {
  /// Reports why the program should end, and the exit code.
  func end(_ ending: Ending) {
    onEnding(ending)
    switch ending {
    case .signal(let number): onQuit(128 + number)
    case .closed, .failed: onQuit(1)
    }
  }
}

extension TerminalRenderer {
  /// Copies text to the terminal's clipboard, if it is supported.
  func offer(_ text: String) {
    if let bytes = ClipboardSequence.encode(text) {
      write(bytes)
      return
    }
    let notice = ClipboardSequence.refusal(of: text)
    log(notice)
    onNotice(notice)
  }

  /// Starts or stops the reports of mouse movements without a button.
  func reportMotion(_ isWanted: Bool) {
    reportsMotion = isWanted
    write(isWanted ? Sequences.beginMotion : Sequences.endMotion)
  }

  /// Writes sequences that change no cell, if the terminal supports them.
  private func write(_ bytes: [UInt8]) {
    guard isMounted, capabilities.hasAttributes else { return }
    do throws(TideError) {
      _ = try device.write(bytes)
    } catch {
      end(.failed(error))
    }
  }
}
