/** The parts of a zip file, by name, each unpacked up to a limit. */
import { type Entry, fromBufferPromise } from 'yauzl'
import { SourceFault } from '../../bytes/source-fault.ts'

/** The parts of a zip file. `names` has their original case; lookups ignore case. */
export interface ZipParts {
  readonly names: readonly string[]
  has(name: string): boolean
  /**
   * Yields the text of a part, decoded, in pieces; nothing if there is no such part.
   * @throws SourceFault if it is damaged, or unpacks to more than `maxBytes`
   */
  text(name: string, maxBytes: number): AsyncGenerator<string>
}

/** Maximum number of parts: no workbook has more, and a directory of millions would only take memory. */
const MAX_PARTS = 10_000

/** Reads the directory of the zip file `file`. @throws SourceFault if there is none, or it is damaged */
export async function openZip(bytes: Buffer, file: string): Promise<ZipParts> {
  const damaged = (cause: unknown) =>
    new SourceFault(`${file}: the file is damaged: ${(cause as Error).message}.`, { cause })
  const zip = await fromBufferPromise(bytes, { lazyEntries: true }).catch((cause) => {
    throw damaged(cause)
  })
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size === MAX_PARTS) throw new Error(`it has more than ${MAX_PARTS} parts`)
      const key = entry.fileName.toLowerCase()
      if (!entries.has(key)) entries.set(key, entry)
    }
  } catch (cause) {
    throw damaged(cause)
  }

  async function* text(name: string, maxBytes: number): AsyncGenerator<string> {
    const entry = entries.get(name.toLowerCase())
    if (entry === undefined) return
    // yauzl unpacks at most the size that the directory declares.
    if (entry.uncompressedSize > maxBytes)
      throw new SourceFault(`${file}: ${entry.fileName} unpacks to more than ${maxBytes} bytes.`)
    try {
      const stream = await zip.openReadStreamPromise(entry)
      const decoder = new TextDecoder('utf-8', { fatal: true })
      for await (const chunk of stream) yield decoder.decode(chunk as Buffer, { stream: true })
      yield decoder.decode()
    } catch (cause) {
      throw damaged(cause)
    }
  }

  const names = [...entries.values()].map(({ fileName }) => fileName)
  return { names, has: (name) => entries.has(name.toLowerCase()), text }
}
