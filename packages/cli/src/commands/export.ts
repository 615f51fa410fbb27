/** `world export`: everything, or one type, as NDJSON or CSV. */
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { csvExport, effectiveTypes, ndjsonExport } from '@worldwright/server'
import { existingPlace, withStore } from '../open/place.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { writePiece } from '../terminal/output.ts'

/** The flags of `world export`. */
export interface ExportOptions {
  readonly store?: string
  readonly type?: string
  readonly format?: 'ndjson' | 'csv'
  readonly output?: string
}

/** Writes entities from one snapshot, as they are read, to stdout or a file. */
export async function exportEntities(
  path: string | undefined,
  { store, type, format = 'ndjson', output }: ExportOptions,
  io: Io,
): Promise<number> {
  const { definition, storeFile } = await existingPlace(path, store, io)
  if (format === 'csv' && type === undefined)
    throw new UsageFault('A table holds one type: name it with --type prefix:name')
  await withStore(storeFile, async (storage) => {
    const types = await effectiveTypes(definition, storage)
    if (type !== undefined && !types.some((one) => one.type === type))
      throw new UsageFault(
        `This world has no type ${type}; it has ${types.map((one) => one.type).join(', ')}`,
      )
    const pieces = format === 'csv' ? csvExport(storage, type ?? '') : ndjsonExport(storage, type)
    const file =
      output === undefined ? undefined : createWriteStream(resolve(io.cwd, output), { flags: 'wx' })
    const target = file ?? io.stdout
    for await (const piece of pieces) {
      io.signal.throwIfAborted()
      await writePiece(target, piece)
    }
    if (file) await new Promise<void>((done, failed) => file.on('error', failed).end(done))
  })
  return 0
}
