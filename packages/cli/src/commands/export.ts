import { type FileHandle, open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { exportPieces } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import { existingWorkspace, warnIfPartial, withReader } from '@worldwright/serve/open'
import { count, type Io, say, UsageFault, writePiece } from '@worldwright/serve/terminal'
import { writeFault } from '../terminal/write-fault.ts'

/** Command-line flags of `world export`. */
export interface ExportOptions {
  readonly store?: string
  readonly type?: string
  readonly format?: string
  readonly output?: string
  readonly keepFormulas?: boolean
}

/** Streams entities from one snapshot to stdout or to a new file. If the export fails, deletes the incomplete file. */
export async function exportEntities(
  path: string | undefined,
  { store, type, format = 'ndjson', output, keepFormulas = false }: ExportOptions,
  io: Io,
): Promise<number> {
  const { definition, store: url } = await existingWorkspace(path, store, io)
  if (format !== 'ndjson' && type === undefined)
    throw new UsageFault(`${format} holds one type: name it with --type prefix:name`)
  await withReader(url, async (store) => {
    await warnIfPartial(store, io)
    const types = await effectiveTypes(definition, store)
    const schema = types.find((one) => one.type === type)?.schema
    if (type !== undefined && !types.some((one) => one.type === type))
      throw new UsageFault(
        `This world has no type ${type}; it has ${types.map((one) => one.type).join(', ')}`,
      )
    const escaped = (cells: number) =>
      say(
        io,
        `${count(cells, 'text begins', 'texts begin')} like a formula and got an apostrophe; ` +
          '--keep-formulas leaves them as they are.',
      )
    const pieces = () => exportPieces(store, { format, type, schema, keepFormulas, escaped })
    if (output !== undefined) return writeFileOf(pieces, resolve(io.cwd, output), io)
    for await (const piece of pieces()) {
      io.signal.throwIfAborted()
      await writePiece(io.stdout, piece)
    }
  })
  return 0
}

async function writeFileOf(
  pieces: () => AsyncIterable<string | Uint8Array>,
  file: string,
  io: Io,
): Promise<void> {
  const handle = await newFile(file)
  try {
    await pipeline(pieces(), handle.createWriteStream(), { signal: io.signal })
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw writeFault(error, file)
  }
}

async function newFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx')
  } catch (error) {
    throw writeFault(error, file)
  }
}
