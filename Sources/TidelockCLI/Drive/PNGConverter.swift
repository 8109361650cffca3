import Glibc
import TideBindings
import TideSystem

/// Writes a text to a file.
enum FileOutput {
  /// - Throws: `output` with the system's reason.
  static func write(_ text: String, to path: String) throws(TideError) {
    guard let file = fopen(path, "w") else {
      throw TideError(.output, "\"\(path)\" cannot be written: \(SystemText.of(errno))")
    }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, file)
    if fclose(file) != 0 || count != bytes.count {
      throw TideError(.output, "\"\(path)\" cannot be written: \(SystemText.of(errno))")
    }
  }
}

/// Converts SVG pictures with an installed program.
enum PNGConverter {
  /// The programs to try, with the option that names the PNG file.
  private static let programs = [
    ["rsvg-convert", "--output"], ["inkscape", "--export-filename"], ["magick"], ["convert"],
  ]

  /// The bytes of a PNG picture.
  ///
  /// - Throws: `output` if no program is installed, or if it fails.
  static func bytes(of svg: String) throws(TideError) -> [UInt8] {
    let path = try temporaryFile(".png")
    defer { unlink(path) }
    try convert(svg, to: path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TideError(.output, "the picture cannot be read") }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, count)))
  }

  /// Creates an empty file. The caller must remove it.
  private static func temporaryFile(_ suffix: String) throws(TideError) -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((folder + "/tidelock-XXXXXX" + suffix).utf8CString)
    let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
    guard descriptor >= 0 else {
      throw TideError(.output, "cannot create a file in \(folder): \(SystemText.of(errno))")
    }
    close(descriptor)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// - Throws: `output` if no program is installed, or if it fails.
  static func convert(_ svg: String, to path: String) throws(TideError) {
    let source = try temporaryFile(".svg")
    defer { unlink(source) }
    try FileOutput.write(svg, to: source)
    var failed: String?
    for program in programs {
      let name = program[0]
      // ImageMagick's programs name the source first.
      let arguments = program.count > 1 ? program + [path, source] : [name, source, path]
      var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
      defer { for string in strings { free(string) } }
      var process: pid_t = 0
      // Standard input and output may belong to a protocol.
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, 2, 1)
      if posix_spawnp(&process, name, &actions, nil, &strings, environ) != 0 { continue }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      if status == 0 { return }
      failed = name
    }
    if let failed { throw TideError(.output, "\(failed) could not make \"\(path)\"") }
    throw TideError(
      .output, "no program makes PNG from SVG here; install librsvg2-bin, or write --svg FILE")
  }
}
