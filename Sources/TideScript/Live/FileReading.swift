import TideBindings
import TideSystem

/// Reads a whole file on another thread, once there is memory for it.
///
///     another thread: size ─▶ reserve ─▶ read ─▶ finish
///                               │ no room                 ▲
///     the loop:                 └─▶ queue of waiters ─▶ read again
final class FileReading {
  private let place: ScriptPlace
  private let path: String
  private let reservation: MemoryReservation
  private var finish: ((Result<[UInt8], any Error>) -> Void)?
  private var work: LoopWork?
  private var home: Home?

  /// - Parameter finish: called on the loop's thread. The bytes stay reserved as long as the
  ///   reservation lives.
  init(
    _ place: ScriptPlace, _ path: String, _ reservation: MemoryReservation,
    finish: @escaping (Result<[UInt8], any Error>) -> Void
  ) {
    self.place = place
    self.path = path
    self.reservation = reservation
    self.finish = finish
  }

  func begin(in runtime: Runtime) {
    home = runtime.home
    let (place, reservation, most) = (place, reservation, runtime.mostSourceBytes)
    work = runtime.loop.work({ () -> Result<FileAccess.Reading, SystemError> in
      do throws(SystemError) {
        return .success(
          try FileAccess.read(place.name, in: place.folder, most: most, reservation))
      } catch {
        return .failure(error)
      }
    }) { [self] in take($0) }
  }

  private func take(_ result: Result<FileAccess.Reading, SystemError>) {
    work = nil
    switch result {
    case .failure(let error): end(.failure(TideError(sourceError: error, path)))
    case .success(.bytes(let bytes)):
      // The reservation now covers the copy.
      reservation.shrink(to: bytes.count)
      end(.success(bytes))
    case .success(.lacksMemory(let bytes)): wait(for: bytes)
    }
  }

  private func wait(for bytes: Int) {
    reservation.shrink(to: 0)
    guard let runtime = home?.runtime else { return }
    runtime.memory.reserve(bytes, in: reservation) { [self] hasRoom in
      guard finish != nil, let runtime = home?.runtime else { return reservation.shrink(to: 0) }
      if hasRoom { return begin(in: runtime) }
      end(.failure(TideError.noRoom(for: "\"\(path.inMessage)\"")))
    }
  }

  private func end(_ result: Result<[UInt8], any Error>) {
    let finish = finish
    self.finish = nil
    finish?(result)
  }

  /// Cancels the read. `finish` is not called.
  func cancel() {
    finish = nil
    work?.cancel()
    work = nil
  }
}
