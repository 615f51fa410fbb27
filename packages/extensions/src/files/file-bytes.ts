/** Files of this machine as bodies of answers. */
import { createReadStream } from 'node:fs'

/** The bytes of a file from `start` up to, not including, `end`. It is opened when they are asked for. */
export async function* fileBytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(path, { start, end: end - 1 })
}
