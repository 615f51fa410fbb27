/** Validates UTF-8. Text in another encoding is refused with its line number, since decoding would require a guess. */
import { isUtf8 } from 'node:buffer'
import { encodingAdvice, type LikelyEncoding, likelyEncoding } from './encoding.ts'
import { SourceFault } from './source-fault.ts'

/** Error for text that is not UTF-8, with its most likely encoding. */
export class EncodingFault extends SourceFault {
  readonly likely: LikelyEncoding

  constructor(message: string, likely: LikelyEncoding, options?: ErrorOptions) {
    super(message, options)
    this.likely = likely
  }
}

/**
 * Passes chunks through unchanged as long as they are valid UTF-8.
 * @throws EncodingFault during iteration, naming the line of the invalid bytes
 */
export async function* utf8Only(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  const check = async (chunk?: Uint8Array) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      const bytes = chunk ?? new Uint8Array()
      const where = line + linesOfUtf8(bytes)
      const likely = await likelyEncoding(foreignLines(bytes))
      const message = `${name}:${where}: ${refusal(likely)}. Nothing of it was loaded.`
      throw new EncodingFault(message, likely, { cause })
    }
  }
  for await (const chunk of chunks) {
    await check(chunk)
    line += newlines(chunk)
    yield chunk
  }
  await check()
}

/** Maximum bytes of invalid lines sampled to detect the encoding. */
const SAMPLE_BYTES = 32 * 1024

/** Returns a message saying that `bytes` are not UTF-8, followed by advice, without a final full stop. */
export async function notUtf8(bytes: Uint8Array): Promise<string> {
  return refusal(await likelyEncoding(foreignLines(bytes)))
}

function refusal(likely: LikelyEncoding): string {
  return `this is not UTF-8. ${encodingAdvice(likely)}`
}

/** Returns the first lines that are not UTF-8, since only these reveal the encoding. */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = []
  let length = 0
  for (let start = 0; start < bytes.length && length < SAMPLE_BYTES; ) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found + 1
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES))
    if (!isUtf8(line)) {
      lines.push(line)
      length += line.length
    }
    start = end
  }
  return Buffer.concat(lines)
}

/** Returns the number of leading lines that are complete and valid UTF-8. */
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
