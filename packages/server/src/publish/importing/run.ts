/** What is counted and collected while the sources of an import are read. */
import type { Entity } from '@worldwright/client/protocol'
import type { Notes, TypeState } from '../../storage/contract.ts'
import type { TypeDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import { createMapper, type Mapping, mappedColumns, type RecordMapper } from '../entities/mapping.ts'
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
  /** `portability`: of its id. `format`, `schema`: of a value. `mapping`: of all records of the source. */
  readonly kind: 'portability' | 'format' | 'schema' | 'mapping'
  readonly message: string
}

/** How far an import has come; `placing` is told once: all is read, and the entities are about to be put in place. */
export interface ImportProgress {
  /** Bytes read of all sources, as they lie on disk. */
  readonly bytes: number
  /** All bytes there are; absent while a source's size is unknown. */
  readonly totalBytes?: number
  readonly records: number
  /** Of them, those that were not rejected. */
  readonly entities: number
  readonly phase: 'reading' | 'placing'
}

/** What an import does besides loading. */
export interface ImportOptions {
  /**
   * Of every type that these sources fill, delete the entities that they do not hold. A source fills the types of its
   * records, and the type that is given for it. Of a type that a rejected record may belong to, or that is given for a
   * source without any record, nothing is deleted: the data say more than what can be read of them.
   */
  readonly replace?: boolean | undefined
  /** Types of which nothing is deleted all the same, given the states of all types. Asked again where others write meanwhile. */
  readonly keep?: ((states: ReadonlyMap<string, TypeState>) => ReadonlySet<string>) | undefined
  /** Further types to empty as far as nothing of them is loaded; with `replace`. */
  readonly formerly?: readonly string[] | undefined
  /** What to note in the same step. */
  readonly notes?: ((loaded: Loaded) => Notes) | undefined
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
  /** Hears of progress after every batch, and before the entities are put in place; that a dry run does not do. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Aborted: nothing is loaded and the import fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What is about to be put in place. */
export interface Loaded extends Replaced {
  readonly rejected: number
}

/** What a load does to the types that its sources fill, or once filled; each ascending. */
export interface Replaced {
  /** What is not among the records is deleted; nothing is without `replace`. */
  readonly replaced: readonly string[]
  /** Nothing is deleted: a rejected record may belong to them, or a source has no records. */
  readonly spared: readonly string[]
  /** Nothing is deleted, since `keep` says so. */
  readonly kept: readonly string[]
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

/** Good entities, and where each of them stands. */
export interface Batch {
  readonly entities: readonly Entity[]
  readonly lines: readonly number[]
}

/** One import while it is going on. */
export class ImportRun {
  readonly deriver = new TypeDeriver()
  readonly references = new ReferenceCollector()
  /** Types of which more may exist than was read. */
  readonly #doubtful = new Set<string>()
  /** A rejected record may belong to any type. */
  #allDoubtful = false
  readonly #filled = new Set<string>()
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
  async *batchesOf(one: ImportSource): AsyncGenerator<Batch> {
    const { source, type, mapping = {}, format, delimiter, quote } = one
    if (type !== undefined) this.#filled.add(type)
    const recordsBefore = this.#records
    const mapper = createMapper(mapping)
    let entities: Entity[] = []
    let lines: number[] = []
    const onBytes = (count: number) => {
      this.#bytes += count
    }
    const columns = mappedColumns(mapping)
    for await (const read of readRecords(source, { onBytes, format, delimiter, quote, columns })) {
      this.#records++
      const at = { source: source.name, line: read.line }
      if ('fault' in read) this.#reject({ ...at, faults: [read.fault] }, [])
      else {
        const entity = this.#entityOf(read.record, read.cells === true, mapper, type, at)
        if (entity) {
          entities.push(entity)
          lines.push(read.line)
        }
      }
      // Counted in records, so that sources full of bad ones can be seen and stopped as well.
      if (this.#records % BATCH_SIZE === 0) {
        yield { entities, lines }
        entities = []
        lines = []
        this.#tell()
      }
    }
    yield { entities, lines }
    this.#tell()
    for (const column of mapper.unseen())
      this.#warn({
        source: source.name,
        line: 1,
        kind: 'mapping',
        message: `no record has ${JSON.stringify(column)}`,
      })
    // Nothing at all is no reason to delete everything: a save that was cut short looks like that.
    if (this.#records === recordsBefore) this.#doubt(type === undefined ? [] : [type])
  }

  /** Rejects records whose type and id an earlier record has already, by their places in the batch. */
  rejectRepeated({ source }: ImportSource, { entities, lines }: Batch, places: readonly number[]): void {
    for (const place of places) {
      const { type, id } = entities[place] as Entity
      const message = `an earlier record is the ${type} ${JSON.stringify(id)}`
      const faults: RecordFault[] = [{ pointer: '/id', reason: 'repeated', message }]
      this.#reject({ source: source.name, line: lines[place] as number, faults }, [type])
    }
  }

  /** Which types to delete from, where these are to be kept. */
  replaced(keep: ReadonlySet<string> = new Set()): Replaced {
    const { replace = false, formerly = [] } = this.#options
    const wanted = replace ? [...new Set([...this.#filled, ...formerly])].sort() : []
    const isDoubtful = (type: string) => this.#allDoubtful || this.#doubtful.has(type)
    const [ours, kept] = [wanted.filter((type) => !keep.has(type)), wanted.filter((type) => keep.has(type))]
    return { replaced: ours.filter((type) => !isDoubtful(type)), spared: ours.filter(isDoubtful), kept }
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
      const isTyped = result.faults.every(({ pointer }) => pointer !== '/type')
      const types = [type, typeIn(record)].filter((one) => one !== undefined)
      this.#reject({ ...at, faults: result.faults }, isTyped ? types : [])
      return undefined
    }
    const { entity, warning } = result
    if (!this.#keepsToSchema(entity, at)) return undefined
    if (warning !== undefined) this.#warn({ ...at, kind: 'portability', message: warning })
    this.#filled.add(entity.type)
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
    const pointed = faults.map((fault) => ({ ...fault, pointer: `/attributes${fault.pointer}` }))
    this.#reject({ ...at, faults: pointed }, [entity.type])
    return false
  }

  /** `types`: those that the record can have; none where that cannot be told. */
  #reject(rejection: Rejection, types: readonly string[]): void {
    this.rejected++
    this.#doubt(types)
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push(rejection)
    this.#options.onReject?.(rejection)
    if (this.#options.onInvalid === 'stop') throw new ImportStopped(rejection)
  }

  #doubt(types: readonly string[]): void {
    if (types.length === 0) this.#allDoubtful = true
    for (const type of types) this.#doubtful.add(type)
  }

  #warn(warning: ImportWarning): void {
    this.warned++
    this.#options.onWarning?.(warning)
  }

  /** Tells that all is read and that the entities are about to be put in place. */
  readonly tellPlacing = (): void => this.#tell('placing')

  #tell(phase: ImportProgress['phase'] = 'reading'): void {
    this.#options.signal?.throwIfAborted()
    this.#options.onProgress?.({
      bytes: this.#bytes,
      ...(this.#totalBytes !== undefined && { totalBytes: this.#totalBytes }),
      records: this.#records,
      entities: this.#records - this.rejected,
      phase,
    })
  }
}

function typeIn(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const type = Object.hasOwn(record, 'type') ? (record as { type: unknown }).type : undefined
  return typeof type === 'string' ? type : undefined
}
