import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'

/**
 * Yields the bytes of a named pipe until its last writer closes it or the signal is aborted.
 * @throws a system error if the pipe cannot be opened
 */
export async function* bytesOfPipe(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal?.aborted) return
  // Opening it as a file would block a thread until a writer opens the pipe.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const pipe = new Socket({ fd, readable: true, writable: false })
  const end = () => pipe.destroy()
  signal?.addEventListener('abort', end)
  try {
    yield* pipe
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    signal?.removeEventListener('abort', end)
    pipe.destroy()
  }
}
