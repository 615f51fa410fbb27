/** Decodes text that is not UTF-8 if the definition or a byte order mark names its encoding. */
import { SourceFault } from './source-fault.ts'

/** Reports whether `label` names an encoding that can be read. */
export function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** Returns the encoding indicated by a byte order mark, or undefined for UTF-8 or if there is no mark. */
export function encodingOfMark(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Re-encodes text as UTF-8. @throws SourceFault if bytes are invalid in `encoding` */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
  name: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let line = 1
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true })
      line += text.split('\n').length - 1
      yield Buffer.from(text)
    }
    yield Buffer.from(decoder.decode())
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new SourceFault(
      `${name}: after line ${line} there is text that is not ${encoding}. Nothing of it was loaded.`,
      { cause },
    )
  }
}

/** Results of `chardet` that are ignored, because text in these encodings is also valid UTF-8. */
const NO_ANSWER = new Set(['utf-8', 'ascii'])

/** Most likely encoding of some bytes, or an empty object if it cannot be detected. */
export interface LikelyEncoding {
  /** Encoding name in the WHATWG Encoding Standard. */
  readonly encoding?: string
  /** Sample word of the text, decoded with that encoding. */
  readonly shown?: string
}

/** Returns a sentence of advice for bytes that are not UTF-8, with their likely encoding and a sample word. */
export function encodingAdvice({ encoding, shown }: LikelyEncoding): string {
  if (encoding === undefined) return 'Save it as UTF-8'
  const word = shown === undefined ? '' : `, in which it says ${JSON.stringify(shown)}`
  return `It may be ${encoding}${word}: say encoding: ${encoding} in the definition, or save it as UTF-8`
}

/** Detects the most likely encoding of bytes that are not UTF-8. */
export async function likelyEncoding(bytes: Uint8Array): Promise<LikelyEncoding> {
  const { analyse } = await import('chardet')
  for (const { name } of analyse(bytes)) {
    if (NO_ANSWER.has(name.toLowerCase()) || !isEncoding(name)) continue
    try {
      // The decoder uses the standard's name, such as windows-1252 for ISO-8859-1.
      const decoder = new TextDecoder(name, { fatal: true })
      // The bytes may end in the middle of a character.
      const text = decoder.decode(bytes, { stream: true })
      const shown = wordBeyondAscii(text)
      return { encoding: decoder.encoding, ...(shown !== undefined && { shown }) }
    } catch {}
  }
  return {}
}

function wordBeyondAscii(text: string): string | undefined {
  return /[\p{L}\p{N}'’-]*[^\p{ASCII}][\p{L}\p{N}'’-]*/u.exec(text)?.[0].slice(0, 40)
}
