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

  /// - Throws: `output` if no program is installed, or if it fails.
  static func convert(_ svg: String, to path: String) throws(TideError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((folder + "/tidelock-XXXXXX.svg").utf8CString)
    let descriptor = mkstemps(&template, 4)
    guard descriptor >= 0 else {
      throw TideError(.output, "cannot create a file in \(folder): \(SystemText.of(errno))")
    }
    close(descriptor)
    let source = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(source) }
    try FileOutput.write(svg, to: source)
    for program in programs {
      let name = program[0]
      // ImageMagick's programs name the source first.
      let arguments = program.count > 1 ? program + [path, source] : [name, source, path]
      var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
      defer { for string in strings { free(string) } }
      var process: pid_t = 0
      if posix_spawnp(&process, name, nil, nil, &strings, environ) != 0 { continue }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      if status == 0 { return }
      throw TideError(.output, "\(name) could not make \"\(path)\"")
    }
    throw TideError(
      .output, "no program makes PNG from SVG here; install librsvg2-bin, or write --svg FILE")
  }
}
