/** Text in encodings other than UTF-8, read if the definition or a byte order mark names the encoding. */
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

/** Returns the encoding that a byte order mark indicates; undefined without a mark, and for UTF-8. */
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

/** Answers of `chardet` that are ignored: text in these encodings is valid UTF-8, so it is never refused. */
const NO_ANSWER = new Set(['utf-8', 'ascii'])

/** The most likely encoding of some bytes; empty if it cannot be detected. */
export interface LikelyEncoding {
  /** Its name in the WHATWG Encoding Standard. */
  readonly encoding?: string
  /** A word of the text, decoded with that encoding. */
  readonly shown?: string
}

/** Returns advice about bytes that are not UTF-8, as a sentence: their likely encoding, and a word decoded with it. */
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
      // The decoder has the standard's name: windows-1252 for ISO-8859-1.
      const decoder = new TextDecoder(name, { fatal: true })
      // `bytes` may end in the middle of a character.
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
