/** Text in other encodings than UTF-8: read where its author says which, or a byte order mark does. */
import { SourceFault } from './source-fault.ts'

/** Whether this is the name of an encoding that can be read. */
export function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** The encoding that a byte order mark says; undefined without one, and for UTF-8. */
export function encodingOfMark(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/** The same text in UTF-8. @throws SourceFault where bytes stand for nothing in the encoding */
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

/** What `chardet` may answer that says nothing: no text of such an encoding is refused as UTF-8. */
const NO_ANSWER = new Set(['utf-8', 'ascii'])

/** The encoding that bytes probably have; empty if it cannot be told. */
export interface LikelyEncoding {
  /** As the WHATWG Encoding Standard names it. */
  readonly encoding?: string
  /** A word of the text, as that encoding reads it. */
  readonly shown?: string
}

/** What to do about bytes that are not UTF-8, as a sentence: the encoding that they probably have, and how they read then. */
export function encodingAdvice({ encoding, shown }: LikelyEncoding): string {
  if (encoding === undefined) return 'Save it as UTF-8'
  const word = shown === undefined ? '' : `, in which it says ${JSON.stringify(shown)}`
  return `It may be ${encoding}${word}: say encoding: ${encoding} in the definition, or save it as UTF-8`
}

/** The encoding that bytes that are not UTF-8 probably have. */
export async function likelyEncoding(bytes: Uint8Array): Promise<LikelyEncoding> {
  const { analyse } = await import('chardet')
  for (const { name } of analyse(bytes)) {
    if (NO_ANSWER.has(name.toLowerCase()) || !isEncoding(name)) continue
    try {
      // As the standard calls it: what is known as ISO-8859-1 is windows-1252.
      const decoder = new TextDecoder(name, { fatal: true })
      // The last character of a piece of a file may be cut.
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
