/** What is counted and collected while the sources of an import are read. */
import type { Entity } from '@worldwright/client/protocol'
import type { TypeDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { createMapper, type Mapping, type RecordMapper } from '../entities/mapping.ts'
import { entityFromRecord } from '../entities/record.ts'
import type { RecordFault } from '../reading/json-text.ts'
import { type ReadOptions, readRecords } from '../reading/read-records.ts'
import type { RecordSource } from '../reading/record-source.ts'
import { TypeDeriver } from '../types/derive-types.ts'
import { createTypeChecks, type TypeChecks } from '../types/type-checks.ts'
import { ReferenceCollector } from './references.ts'

/** A source to load, how it is read, and the type of its records that name none. */
export interface ImportSource extends Pick<ReadOptions, 'format' | 'delimiter' | 'quote'> {
  readonly source: RecordSource
  readonly type?: string | undefined
  readonly mapping?: Mapping | undefined
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
  /** `portability`: of its id. `format`, `schema`: of a value. */
  readonly kind: 'portability' | 'format' | 'schema'
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
  /** Types of which nothing is deleted all the same. */
  readonly keep?: ReadonlySet<string> | undefined
  /** Further types to empty as far as nothing of them is loaded; with `replace`, and where nothing was rejected. */
  readonly formerly?: readonly string[] | undefined
  /** With more rejected records than this, nothing is loaded. */
  readonly maxRejected?: number | undefined
  /** The types as their author describes them; attributes are held against their schemas. */
  readonly types?: readonly TypeDefinition[] | undefined
  /** What becomes of a record that breaks its type's schema; by default it is left out. */
  readonly onInvalid?: OnInvalid | undefined
  /** Finds out what would happen, and changes nothing. */
  readonly dryRun?: boolean | undefined
  /** Hears every rejected record, in order. */
  readonly onReject?: ((rejection: Rejection) => void) | undefined
  readonly onWarning?: ((warning: ImportWarning) => void) | undefined
  /** Hears of progress after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Aborted: nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A record was refused and `onInvalid` is `stop`: nothing was loaded. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped'
  readonly rejection: Rejection

  constructor(rejection: Rejection) {
    const { source, line, faults } = rejection
    const [first] = faults
    super(`${source}:${line}: ${first?.pointer && `${first.pointer} `}${first?.message}. Nothing was loaded.`)
    this.rejection = rejection
  }
}

/** More records were rejected than may be: nothing was loaded. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly rejected: number
  /** The first twenty. */
  readonly rejections: readonly Rejection[]

  constructor(rejected: number, rejections: readonly Rejection[]) {
    super(`${rejected} records are bad. Nothing was loaded.`)
    this.rejected = rejected
    this.rejections = rejections
  }
}

/** Enough for one transaction to be worth its costs, and few enough to keep it short. */
const BATCH_SIZE = 1_000

const KEPT_REJECTIONS = 20

/** One import while it is going on. */
export class ImportRun {
  readonly deriver = new TypeDeriver()
  readonly references = new ReferenceCollector()
  readonly filled = new Set<string>()
  readonly rejections: Rejection[] = []
  rejected = 0
  warned = 0
  readonly #options: ImportOptions
  readonly #checks: TypeChecks
  readonly #totalBytes: number | undefined
  #bytes = 0
  #records = 0

  constructor(sources: readonly ImportSource[], options: ImportOptions) {
    this.#options = options
    this.#checks = createTypeChecks(options.types ?? [])
    this.#totalBytes = sources.reduce<number | undefined>(
      (sum, { source }) => (sum === undefined || source.size === undefined ? undefined : sum + source.size),
      0,
    )
  }

  /** The good entities of one source, many at a time. */
  async *batchesOf(one: ImportSource): AsyncGenerator<Entity[]> {
    const { source, type, mapping = {}, format, delimiter, quote } = one
    const rejectedBefore = this.rejected
    const mapper = createMapper(mapping)
    let batch: Entity[] = []
    const onBytes = (count: number) => {
      this.#bytes += count
    }
    for await (const read of readRecords(source, { onBytes, format, delimiter, quote })) {
      this.#records++
      const at = { source: source.name, line: read.line }
      if ('fault' in read) this.#reject({ ...at, faults: [read.fault] })
      else {
        const entity = this.#entityOf(read.record, read.cells === true, mapper, type, at)
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

  #entityOf(
    record: Parameters<RecordMapper>[0],
    cells: boolean,
    mapper: RecordMapper,
    type: string | undefined,
    at: { readonly source: string; readonly line: number },
  ): Entity | undefined {
    const mapped = mapper(record, cells, this.#checks.cellTypes(type ?? typeIn(record)))
    const result = 'faults' in mapped ? mapped : entityFromRecord(mapped.record, { type })
    if ('faults' in result) {
      this.#reject({ ...at, faults: result.faults })
      return undefined
    }
    const { entity, warning } = result
    if (!this.#keepsToSchema(entity, at)) return undefined
    if (warning !== undefined) this.#warn({ ...at, kind: 'portability', message: warning })
    this.filled.add(entity.type)
    this.deriver.add(entity)
    this.references.add(entity)
    return entity
  }

  #keepsToSchema(entity: Entity, at: { readonly source: string; readonly line: number }): boolean {
    const { faults, warnings } = this.#checks.check(entity.type, entity.attributes)
    const told = (fault: RecordFault) => `/attributes${fault.pointer} ${fault.message}`
    for (const warning of warnings) this.#warn({ ...at, kind: 'format', message: told(warning) })
    if (faults.length === 0) return true
    if (this.#options.onInvalid === 'warn') {
      for (const fault of faults) this.#warn({ ...at, kind: 'schema', message: told(fault) })
      return true
    }
    this.#reject({
      ...at,
      faults: faults.map((fault) => ({ ...fault, pointer: `/attributes${fault.pointer}` })),
    })
    return false
  }

  #reject(rejection: Rejection): void {
    this.rejected++
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push(rejection)
    this.#options.onReject?.(rejection)
    if (this.#options.onInvalid === 'stop') throw new ImportStopped(rejection)
  }

  #warn(warning: ImportWarning): void {
    this.warned++
    this.#options.onWarning?.(warning)
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

function typeIn(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const type = Object.hasOwn(record, 'type') ? (record as { type: unknown }).type : undefined
  return typeof type === 'string' ? type : undefined
}
