import CTideTerminal
public import TideBindings
import TideSystem
public import TideViews

/// Shows a scene in the terminal, in colour, with keyboard and mouse.
///
/// ```swift
/// let terminal = TerminalRenderer()
/// terminal.onEnding = { _ in isEnding = true }
/// try scene.mount(terminal)
/// // when terminal.inputDescriptor is readable: terminal.readInput(); try scene.commit()
/// scene.unmount()
/// ```
///
/// It takes the terminal over (alternate screen, raw keys, mouse) and puts it back on every way
/// out: `unmount`, `exit`, signals, crashes. Only one renderer of a process may be mounted.
/// Everything that is printed meanwhile goes to a log, which F12 shows and which follows on
/// standard output after the end. Ctrl-Z suspends, where no text has the focus, and Ctrl-L draws
/// everything anew, when no view takes them.
///
/// It does not keep the scene, and is used on the thread of the scene; `onUnheardInterrupt` alone
/// is called on another one.
public final class TerminalRenderer {
  /// Why the program should end.
  ///
  /// ```swift
  /// terminal.onEnding = { ending in
  ///   if case .failed(let error) = ending { print(error) }
  /// }
  /// ```
  public enum Ending: Sendable {
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT came. Without `unmount` within two seconds, or at another
    /// such signal, the process ends by itself.
    case signal(Int32)
    /// The terminal is gone.
    case closed
    /// A frame could not be written.
    case failed(TideError)
  }

  /// Called with keys before the views, while the log is shown and no text has the focus. Returns
  /// whether it took the key.
  package var onLogKey: (Key) -> Bool = { _ in false }
  /// Input that neither a view nor the renderer took.
  public var onUnhandled: (InputEvent) -> Void = { _ in }
  /// Called when the terminal or a signal asks the app to end.
  public var onEnding: (Ending) -> Void = { _ in }
  /// Called when the program should end, after `onEnding`, with the exit code to end it with.
  public var onQuit: (Int32) -> Void = { _ in }
  /// Called with a notice for the person, such as that a text is too long for the terminal's
  /// clipboard. The log has it as well.
  package var onNotice: (String) -> Void = { _ in }
  /// Called on another thread when Ctrl-C has not been read for half a second, because a script
  /// keeps the program busy, and then again until it is. Once read, it is a key as any other. The
  /// parameter is true when it was pressed again, and calling has not helped. To be set before the
  /// renderer is mounted.
  package var onUnheardInterrupt: (@Sendable (_ isInsistent: Bool) -> Void)?

  let device: TerminalDevice
  let capabilities: TerminalCapabilities
  var screen: TerminalScreen
  var decoder = InputDecoder()
  var queue = InputQueue()
  /// How long handlers may run before a frame is drawn, in seconds. Half of the 50 ms that may pass
  /// between frames, since one more handler may begin just before.
  var timeOfTurn = 0.025
  var clicks = ClickCounter()
  var log = OutputLog()
  private(set) var isMounted = false
  /// Movements of the mouse without a button are reported: a view listens to `hover`.
  private(set) var reportsMotion = false
  private(set) var watchdog: InterruptWatchdog?
  private(set) weak var scene: Scene?

  /// Makes a renderer of a terminal, which is taken over when a scene is mounted.
  ///
  /// - Parameters:
  ///   - input: a descriptor of the terminal; standard input.
  ///   - output: another one of the same terminal; standard output.
  ///   - usesColor: false for none, true to insist in spite of `NO_COLOR`; nil looks at the
  ///     environment.
  ///   - handlesSignals: whether to install signal handlers; without them the host has to call
  ///     `unmount` on every way out.
  ///   - capturesOutput: whether what the process writes to standard output and error goes to the
  ///     log, where these are terminals.
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

  /// Lines shown in a box over everything: help, or an error. Nil takes it away.
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

  /// The keys that `onLogKey` takes, for the heading of the log.
  package var logHint: String? {
    get { screen.composition.logHint }
    set { screen.composition.logHint = newValue }
  }

  /// A line below the scene, where the terminal has a row to spare; nil leaves all rows to the
  /// scene.
  package var status: StatusLine? {
    get { screen.composition.status }
    set {
      if newValue == screen.composition.status { return }
      screen.composition.status = newValue
      guard isMounted, let scene else { return }
      if scene.size == sceneSize { refresh(always: true) } else { scene.resize(sceneSize) }
    }
  }

  /// How much text an overlay has room for.
  package var overlayRoom: Size { OverlayPane.room(in: screen.size) }

  /// What is left for the scene.
  var sceneSize: Size { screen.sceneSize }

  /// Adds a line to the log.
  public func log(_ line: String) {
    log.append(line)
    guard isLogShown, !screen.isLogStale else { return }
    screen.isLogStale = true
    tide_terminal_wake()
  }

  /// Gives the terminal back, stops the whole job, and takes the terminal again when the job is
  /// continued.
  package func suspend() { tide_terminal_suspend() }

  /// Whether Ctrl-C is a signal, which also comes while a script keeps keys from being read; else
  /// it is a key. A terminal that sends its keys in kitty's protocol sends a key all the same.
  package var raisesInterrupts = false {
    didSet { tide_terminal_raise_interrupts(raisesInterrupts) }
  }

  /// Gives the terminal back at once, whoever shows something in it, for a process that is about to
  /// end; a signal's handler may call it.
  package static func giveBackTerminal() { tide_terminal_leave() }

  /// Writes every cell anew, for when something else has drawn on the terminal.
  package func repaint() {
    screen.forget()
    refresh(always: true)
  }

  /// Brings panes up to date; errors go to `onEnding`.
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
    // Suspended: everything is drawn at the return.
    if try !device.write(bytes) { screen.forget() }
  }
}

extension TerminalRenderer: Renderer {
  /// Takes the terminal over and begins to read keys and the mouse.
  ///
  /// - Throws: `TideError` when the descriptors are no terminal or another renderer has it.
  public func mount(_ scene: Scene) throws {
    try device.take(capabilities)
    watchdog = onUnheardInterrupt.map(InterruptWatchdog.watch)
    isMounted = true
    self.scene = scene
    log.restart()
    decoder = InputDecoder()
    queue = InputQueue()
    if !capabilities.isUnicode {
      // Texts stay as they are: the encoder finds better stand-ins than a question mark.
      var symbols = Symbols.ascii
      symbols.isUnicode = true
      scene.symbols = symbols
    }
    screen.begin(device.size)
    scene.resize(sceneSize)
    scene.clipboard.onCopy = { [weak self] in self?.offer($0) }
    scene.onHoverInterest = { [weak self] in self?.reportMotion($0) }
  }

  /// Writes what changed since the last frame.
  ///
  /// - Throws: `TideError` when the terminal cannot be written to.
  public func render(_ changes: Changes) throws {
    _ = log.drain()
    screen.frame = changes.frame
    try draw(areas: changes.isWhole ? nil : changes.areas)
  }

  /// Adds it to the log, and has the host show it.
  public func notify(_ text: String) {
    log(text)
    onNotice(text)
  }

  /// Puts the terminal back as it was. Without effect when no scene is mounted.
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

  /// Readable when there are keys, mouse events or signals to read; nil while no scene is mounted.
  public var inputDescriptor: Int32? { isMounted ? tide_terminal_descriptor() : nil }
}

extension TerminalRenderer: InteractiveRenderer {
  /// Says why the program should end, and with which code.
  func end(_ ending: Ending) {
    onEnding(ending)
    switch ending {
    case .signal(let number): onQuit(128 + number)
    case .closed, .failed: onQuit(1)
    }
  }
}

extension TerminalRenderer {
  /// Hands copied text to the terminal's own clipboard, where it has one.
  func offer(_ text: String) {
    if let bytes = ClipboardSequence.encode(text) {
      write(bytes)
      return
    }
    let notice = ClipboardSequence.refusal(of: text)
    log(notice)
    onNotice(notice)
  }

  /// Has the terminal report movements of the mouse without a button, or no more.
  func reportMotion(_ isWanted: Bool) {
    reportsMotion = isWanted
    write(isWanted ? Sequences.beginMotion : Sequences.endMotion)
  }

  /// Writes what changes no cell, where the terminal knows such sequences.
  private func write(_ bytes: [UInt8]) {
    guard isMounted, capabilities.hasAttributes else { return }
    do throws(TideError) {
      _ = try device.write(bytes)
    } catch {
      end(.failed(error))
    }
  }
}
