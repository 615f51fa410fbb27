/** From what a definition or a command line names to the sources that an import reads. */
import { resolve } from 'node:path'
import type { Source, WorldDefinition } from '../definition/definition.ts'
import type { SourceFormat } from '../read/formats.ts'
import { definitionFiles, type RecordSource, SourceFault, sourcesFromPath } from '../read/record-source.ts'
import type { SourceToRead } from './events.ts'
import type { ImportSource } from './options.ts'

/** A definition and where it lies: what `readDefinition` returns. */
export interface DefinedWorld {
  readonly definition: WorldDefinition
  /** Absolute; what paths in the definition are relative to. */
  readonly folder: string
  /** The definition itself, absolute: no source where a folder of sources holds it. */
  readonly file?: string
}

/**
 * The files of a definition's sources, with those of folders, in order.
 * @throws SourceFault where one is missing, or no file: it is read more than once.
 */
export async function definedSources({ definition, folder, file }: DefinedWorld): Promise<ImportSource[]> {
  const except = file === undefined ? [] : definitionFiles(file)
  const found = await Promise.all(
    definition.sources.map(async (defined) => {
      const sources = await sourcesFromPath(resolve(folder, defined.file), defined.file, { except })
      return sources.map((source) => ({ ...readAs(defined), source }))
    }),
  )
  const files = found.flat()
  const other = files.find(({ source }) => source.size === undefined)
  if (other) throw new SourceFault(`${other.source.name}: this is no file, and a source has to be one.`)
  return files
}

/** Files named by somebody, and how they are read where the definition does not say it. */
export interface NamedFiles {
  /** Files and folders, relative to `base`, or open streams. */
  readonly files: readonly (string | RecordSource)[]
  readonly base: string
  /** The type of records that name none. */
  readonly type?: string | undefined
  readonly format?: SourceFormat | undefined
  /** Files that are no sources where a folder holds them, absolute. */
  readonly except?: readonly string[]
  /** Aborted: pipes and streams that would wait end. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The sources at these files, read as the definition says where it names them, too. Nothing is opened yet.
 * @throws SourceFault where one is missing
 */
export async function namedSources(
  { files, base, type, format, except = [], signal }: NamedFiles,
  world?: DefinedWorld,
): Promise<ImportSource[]> {
  const { definition, folder = base, file: own } = world ?? {}
  const definedAt = (path: string) => definition?.sources.find((one) => resolve(folder, one.file) === path)
  const options = {
    except: [...(own === undefined ? [] : definitionFiles(own)), ...except],
    ...(signal && { signal }),
  }
  const found = await Promise.all(
    files.map(async (file) => {
      if (typeof file !== 'string') return [{ source: endedBy(signal, file) }]
      const path = resolve(base, file)
      const sources = await sourcesFromPath(path, file, options)
      return sources.map((source) => {
        const defined = definedAt(path) ?? definedAt(resolve(base, source.name))
        return { ...(defined && readAs(defined)), source }
      })
    }),
  )
  return found.flat().map((source) => ({
    ...source,
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
  }))
}

/** The sources as the event `started` lists them. */
export function announced(sources: readonly ImportSource[]): SourceToRead[] {
  return sources.map(({ source: { name, size }, mapping }) => ({
    name,
    ...(size !== undefined && { size }),
    isDefined: mapping !== undefined,
  }))
}

/** How a source of a definition is read. All its files have the same mapping. */
export function readAs(defined: Source): Omit<ImportSource, 'source'> {
  const { type, format, delimiter, quote } = defined
  return { type, mapping: defined, format, delimiter, quote }
}

/** The source, ended by the signal: more may never come. */
function endedBy(signal: AbortSignal | undefined, source: RecordSource): RecordSource {
  return signal === undefined ? source : { ...source, bytes: bytesUntil(signal, source.bytes) }
}

async function* bytesUntil(signal: AbortSignal, bytes: AsyncIterable<Uint8Array>) {
  const chunks = bytes[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<{ readonly done: true }>()
  const abort = () => aborted.resolve({ done: true })
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted.promise])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // Not waited for: it comes after a chunk that may never come.
    Promise.resolve(chunks.return?.()).catch(() => {})
  }
}
