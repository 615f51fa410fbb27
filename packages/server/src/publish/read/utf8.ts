/** Bytes that must be UTF-8: what comes in another encoding is refused with its line, never guessed at. */
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
  const checked = (chunk: Uint8Array | undefined) => {
    try {
      if (chunk === undefined) decoder.decode()
      else decoder.decode(chunk, { stream: true })
    } catch (cause) {
      const first = line === 1 && chunk !== undefined ? Buffer.from(chunk.subarray(0, 2)).toString('hex') : ''
      const what = OTHER_FILES[first] ?? 'this is not UTF-8. Save it as UTF-8'
      const where = chunk === undefined ? line : line + badLine(chunk)
      throw new SourceFault(`${name}:${where}: ${what}. Nothing of it was loaded.`, { cause })
    }
  }
  for await (const chunk of chunks) {
    checked(chunk)
    line += newlines(chunk)
    yield chunk
  }
  checked(undefined)
}

function badLine(chunk: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 0
  for (let start = 0; start < chunk.length; ) {
    const newline = chunk.indexOf(0x0a, start)
    const end = newline < 0 ? chunk.length : newline + 1
    try {
      decoder.decode(chunk.subarray(start, end))
    } catch {
      return lines
    }
    lines += 1
    start = end
  }
  return Math.max(0, lines - 1)
}

function newlines(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) count += 1
  return count
}
