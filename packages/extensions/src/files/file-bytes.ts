import { createReadStream } from 'node:fs'

/** Yields the bytes of a file from `start` (inclusive) to `end` (exclusive). Opens it on the first read. */
export async function* fileBytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(path, { start, end: end - 1 })
}
