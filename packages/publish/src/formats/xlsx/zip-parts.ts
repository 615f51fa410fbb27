import { type Entry, fromBufferPromise } from 'yauzl'
import { SourceFault } from '../../bytes/source-fault.ts'

/** Parts of a zip file. `names` keeps the original case, but lookups ignore case. */
export interface ZipParts {
  readonly names: readonly string[]
  has(name: string): boolean
  /**
   * Yields the decoded text of a part in chunks, and no chunks if there is no such part.
   * @throws SourceFault if the part is damaged, or exceeds `maxBytes` once decompressed
   */
  text(name: string, maxBytes: number): AsyncGenerator<string>
}

/** Maximum number of parts. No workbook has more, and a directory of millions would waste memory. */
const MAX_PARTS = 10_000

/** Reads the central directory of the zip file `file`. @throws SourceFault if it is missing or damaged */
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
    // The yauzl library decompresses no more than the size declared in the directory.
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
