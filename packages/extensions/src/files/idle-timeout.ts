/** Aborts transfers whose client stops sending or stops reading. */
import { WorldFault } from '@worldwright/core'

/** Idle timeout, in milliseconds: enough for a poor connection to recover and for a slow reader to drain its buffers. */
const IDLE_TIMEOUT_MS = 60_000

/** Yields the chunks of a request body. Each must arrive within a minute. @throws WorldFault `request_timeout` */
export async function* withReadTimeout(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await inTime(pieces.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited, because a stalled body may never settle.
    pieces.return?.().catch(() => {})
  }
}

/** Yields the chunks of a response. Closes their source if the next chunk is not requested within a minute. */
export async function* withWriteTimeout<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    // Errors while closing are ignored, because the response has no reader left.
    const timer = setTimeout(() => pieces.return(undefined).catch(() => {}), IDLE_TIMEOUT_MS)
    // An unread response must not keep the process alive.
    timer.unref()
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}

function inTime<T>(piece: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const seconds = IDLE_TIMEOUT_MS / 1_000
      const message = `Nothing came for ${seconds} seconds, and the body is not complete.`
      reject(new WorldFault('request_timeout', message, { seconds }))
    }, IDLE_TIMEOUT_MS)
    piece.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
