/** Reading a named pipe, which may have no writer yet, or one that says nothing. */
import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'

/**
 * The bytes that come through the pipe until its last writer closes it. They end early once the signal is aborted.
 * @throws an error of the system where the pipe cannot be opened
 */
export async function* bytesOfPipe(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal?.aborted) return
  // As a file it would be opened and read by a thread that waits for writers, and that nothing ends but a writer.
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
