/** Bytes that must be UTF-8: what comes in another encoding is refused with its line, never guessed at. */
import { isUtf8 } from 'node:buffer'
import { SourceFault } from './record-source.ts'

/** By their first two bytes. */
const OTHER_FILES: Readonly<Record<string, string>> = {
  fffe: 'this is UTF-16. Save it as UTF-8',
  feff: 'this is UTF-16. Save it as UTF-8',
  '504b': 'this is a workbook of Excel, or another zip file. Export it as CSV in UTF-8',
}

/**
 * The chunks, as they are, as long as they are UTF-8.
 * @throws SourceFault while being read, naming the line.
 */
export async function* utf8Only(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  const check = (chunk?: Uint8Array) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      const bytes = chunk ?? new Uint8Array()
      const start = line === 1 ? Buffer.from(bytes.subarray(0, 2)).toString('hex') : ''
      const what = OTHER_FILES[start] ?? 'this is not UTF-8. Save it as UTF-8'
      const where = line + linesOfUtf8(bytes)
      throw new SourceFault(`${name}:${where}: ${what}. Nothing of it was loaded.`, { cause })
    }
  }
  for await (const chunk of chunks) {
    check(chunk)
    line += newlines(chunk)
    yield chunk
  }
  check()
}

/** How many lines stand before the first one that is not UTF-8; all but the last where there is none. */
export function linesOfUtf8(bytes: Uint8Array): number {
  let lines = 0
  for (let start = 0; ; lines++) {
    const end = bytes.indexOf(0x0a, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return lines
    start = end + 1
  }
}

function newlines(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) count += 1
  return count
}
