/** Loading data files into a store: every good record in one step, every bad one accounted for. */
import type { Entity } from '@worldwright/client/protocol'
import type { ImportCounts, Storage } from '../storage/contract.ts'
import { keepDerivedTypes, TypeDeriver } from './derive-types.ts'
import type { RecordFault } from './json-text.ts'
import { readRecords } from './read-records.ts'
import { entityFromRecord } from './record.ts'
import type { RecordSource } from './record-source.ts'

/** A source to load, and the type of its records that name none. */
export interface ImportSource {
  readonly source: RecordSource
  readonly type?: string | undefined
}

/** A record that was not loaded: where it is, and all that is wrong with it. */
export interface Rejection {
  readonly source: string
  readonly line: number
  readonly faults: readonly RecordFault[]
}

/** A record that was loaded, with something to know about it. */
export interface ImportWarning {
  readonly source: string
  readonly line: number
  readonly message: string
}

/** How far an import has come. */
export interface ImportProgress {
  /** Bytes read of all sources, as they lie on disk. */
  readonly bytes: number
  /** All bytes there are; absent while a source's size is unknown. */
  readonly totalBytes?: number
  readonly records: number
}

/** What an import does besides loading. */
export interface ImportOptions {
  /**
   * Of every type that these sources fill, delete the entities that they do not hold. A type is filled where a good
   * record has it, or where it is given for a source in which nothing was rejected.
   */
  readonly replace?: boolean | undefined
  /** Hears every rejected record, in order. */
  readonly onReject?: ((rejection: Rejection) => void) | undefined
  readonly onWarning?: ((warning: ImportWarning) => void) | undefined
  /** Hears of progress after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Aborted: nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What an import came to. */
export interface ImportResult extends ImportCounts {
  /** How many records were not loaded. */
  readonly rejected: number
  /** The first twenty of them. */
  readonly rejections: readonly Rejection[]
  /** The types that the good records have, ascending. */
  readonly types: readonly string[]
}

/** Enough for one transaction to be worth its costs, and few enough to keep it short. */
const BATCH_SIZE = 500

const KEPT_REJECTIONS = 20

/**
 * Loads all good records of the sources at once: readers of the store see none of them before the end, and then all.
 * Bad records are left out. Also keeps a description, derived from the data, of every type that was loaded.
 * @throws SourceFault where a source cannot be read to its end; then nothing is loaded.
 */
export async function importRecords(
  storage: Storage,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const staged = await storage.import()
  const run = new Run(sources, options)
  try {
    for (const source of sources) {
      for await (const batch of run.batchesOf(source)) await staged.add(batch)
    }
    options.signal?.throwIfAborted()
    const counts = await staged.commit(options.replace ? { replace: [...run.filled] } : {})
    await keepDerivedTypes(storage, run.deriver, options.replace === true)
    return { ...counts, rejected: run.rejected, rejections: run.rejections, types: run.deriver.types() }
  } catch (error) {
    await staged.abort()
    throw error
  }
}

/** What is counted and collected while the sources are read. */
class Run {
  readonly deriver = new TypeDeriver()
  readonly filled = new Set<string>()
  readonly rejections: Rejection[] = []
  rejected = 0
  readonly #options: ImportOptions
  readonly #totalBytes: number | undefined
  #bytes = 0
  #records = 0

  constructor(sources: readonly ImportSource[], options: ImportOptions) {
    this.#options = options
    this.#totalBytes = sources.reduce<number | undefined>(
      (sum, { source }) => (sum === undefined || source.size === undefined ? undefined : sum + source.size),
      0,
    )
  }

  /** The good entities of one source, many at a time. */
  async *batchesOf({ source, type }: ImportSource): AsyncGenerator<Entity[]> {
    const rejectedBefore = this.rejected
    let batch: Entity[] = []
    const onBytes = (count: number) => {
      this.#bytes += count
    }
    for await (const read of readRecords(source, { onBytes })) {
      this.#records++
      if ('fault' in read) this.#reject({ source: source.name, line: read.line, faults: [read.fault] })
      else {
        const entity = this.#entityOf(read.record, read.line, source.name, type)
        if (entity) batch.push(entity)
      }
      // Counted in records, so that sources full of bad ones can be seen and stopped as well.
      if (this.#records % BATCH_SIZE === 0) {
        yield batch
        batch = []
        this.#tell()
      }
    }
    yield batch
    this.#tell()
    if (type !== undefined && this.rejected === rejectedBefore) this.filled.add(type)
  }

  #entityOf(record: unknown, line: number, source: string, type: string | undefined): Entity | undefined {
    const result = entityFromRecord(record, { type })
    if ('faults' in result) {
      this.#reject({ source, line, faults: result.faults })
      return undefined
    }
    if (result.warning !== undefined) this.#options.onWarning?.({ source, line, message: result.warning })
    this.filled.add(result.entity.type)
    this.deriver.add(result.entity)
    return result.entity
  }

  #reject(rejection: Rejection): void {
    this.rejected++
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push(rejection)
    this.#options.onReject?.(rejection)
  }

  #tell(): void {
    this.#options.signal?.throwIfAborted()
    this.#options.onProgress?.({
      bytes: this.#bytes,
      ...(this.#totalBytes !== undefined && { totalBytes: this.#totalBytes }),
      records: this.#records,
    })
  }
}
