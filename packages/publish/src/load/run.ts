/** State of an import as its sources are read. */
import type { Entity } from '@worldwright/client/protocol'
import type { Bulk } from '@worldwright/core/store'
import { entityFromRecord, type ReadRecord, type RecordFault } from '@worldwright/entities'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck, type TypeCheck } from '@worldwright/entities/types'
import { readRecords } from '../input/read-records.ts'
import type { RecordSource } from '../input/record-source.ts'
import { type CellTypes, createCellTypes } from '../mapping/cells.ts'
import { type Mapping, neededColumns } from '../mapping/mapping.ts'
import { typeIn } from '../mapping/member-path.ts'
import type { RecordPlace } from '../mapping/row-id.ts'
import type { RowMapper } from '../mapping/row-mapper.ts'
import { missingAttachments } from './attached.ts'
import { DescribedColumns, type SeenColumns } from './column-changes.ts'
import { ReferenceCollector } from './dangling-references.ts'
import { Doubts } from './doubts.ts'
import type { ImportEvent, ImportProgress, ImportWarning, Rejection } from './events.ts'
import { guessedSources, withGuesses } from './guesses.ts'
import { type JoinedFiles, joiningMapper } from './joins.ts'
import type { FileOutcome, ImportOptions, ImportSource } from './options.ts'
import { ImportStopped, TypeUnread } from './refusals.ts'
import type { Unlisted } from './rejected-records.ts'

/** Number of records per batch: enough to amortize the overhead of a transaction, but few enough to keep it short. */
const BATCH_SIZE = 1_000
/** Batch size limit in bytes, as estimated by `bytesAtMost`. The estimate is at most six times the size of the text. */
const BATCH_BYTES = 24 * 1024 * 1024

const KEPT_REJECTIONS = 20

/** Multiplier in a staged entity's mark: its source number times this, plus its line number, which is always lower. */
const MOST_LINES = 2 ** 32

const UNMAPPED: Mapping = {}

/** Good entities and their lines. */
export interface Batch {
  readonly entities: readonly Entity[]
  readonly lines: readonly number[]
}

/** A mapping in use, with its sources and what their records have had so far. */
interface Reader {
  readonly mapper: RowMapper
  readonly sources: RecordSource[]
  readonly seen: SeenColumns
}

/** A running import, which counts, collects and rejects records. */
export class ImportRun {
  /** Number of good records of each type. */
  readonly loaded = new Map<string, number>()
  readonly references = new ReferenceCollector()
  readonly doubts = new Doubts()
  readonly outcomes: FileOutcome[] = []
  readonly #names: readonly string[]
  readonly #guessed: ReadonlySet<string>
  /** Types filled since the last commit. */
  readonly filled = new Set<string>()
  /** Types committed before everything is read. */
  readonly committed = new Set<string>()
  readonly rejections: Rejection[] = []
  rejected = 0
  warned = 0
  readonly #options: ImportOptions
  readonly #check: TypeCheck
  /** Returns the cell types of a type's attributes. */
  readonly #cellTypes: (type: string | undefined) => CellTypes
  readonly #described: DescribedColumns
  readonly #readers = new Map<Mapping, Reader>()
  /** Sentences on columns that are gone or new, so that records are rejected. */
  readonly columns = new Set<string>()
  /** Notes on what the sources hold and the load leaves out as the author wants. */
  readonly notes = new Set<string>()
  readonly #totalBytes: number | undefined
  #bytes = 0
  #records = 0
  /** Rejections that `events` has not yielded yet. */
  #newRejections: Rejection[] = []
  #newWarnings: ImportWarning[] = []
  #batchBytes = 0

  constructor(sources: readonly ImportSource[], options: ImportOptions) {
    this.#options = options
    this.#names = sources.map(({ source }) => source.name)
    this.#guessed = guessedSources(sources)
    this.#check = createTypeCheck(options.types ?? [], createValidator)
    this.#cellTypes = createCellTypes(options.types ?? [])
    this.#described = new DescribedColumns(options.types ?? [])
    this.#totalBytes = sources.reduce<number | undefined>(
      (sum, { source }) => (sum === undefined || source.size === undefined ? undefined : sum + source.size),
      0,
    )
  }

  /** Yields the good entities of one source in batches. */
  async *batchesOf(one: ImportSource): AsyncGenerator<Batch> {
    const { source, type, mapping = UNMAPPED, attached, joined, unlist, ...reading } = one
    if (type !== undefined) this.filled.add(type)
    const recordsBefore = this.#records
    const rejectedBefore = this.rejected
    const types = new Set(type === undefined ? [] : [type])
    let isUnreadable = false
    const own = await this.#readerOf(mapping, joined, source)
    let entities: Entity[] = []
    let lines: number[] = []
    const onBytes = (count: number) => {
      this.#bytes += count
    }
    const columns = neededColumns(mapping)
    const onNote = (note: string) => void this.notes.add(note)
    for await (const next of readRecords(source, { ...reading, onBytes, columns, onNote })) {
      this.#records++
      const {
        read,
        at = { source: source.name, line: read.line },
        ...how
      }: Unlisted = unlist ? unlist(next) : { read: next, mapping, type }
      if ('fault' in read) {
        const { fault, text } = read
        this.reject({ ...at, faults: [fault], ...(text !== undefined && { text }) })
        isUnreadable = true
      } else {
        const row = this.#records - recordsBefore
        for (const message of read.warnings ?? []) this.warn({ ...at, kind: 'source', message })
        const reader = unlist ? await this.#readerOf(how.mapping ?? UNMAPPED, joined) : own
        const entity = this.#entityOf(read, reader, { type: how.type ?? type, file: source.id, row }, at)
        if (entity) {
          if (attached)
            for (const message of missingAttachments(entity, mapping, attached))
              this.warn({ ...at, kind: 'attachment', message })
          entities.push(entity)
          lines.push(read.line)
          types.add(entity.type)
        }
      }
      // Bad records also count, so that a source full of them still shows progress and can be stopped.
      if (this.#records % BATCH_SIZE === 0 || this.#batchBytes >= BATCH_BYTES) {
        yield { entities, lines }
        entities = []
        lines = []
        this.#batchBytes = 0
      }
    }
    yield { entities, lines }
    this.#batchBytes = 0
    const isClean = this.rejected === rejectedBefore && this.#records > recordsBefore
    this.outcomes.push({ mapping, types, isClean })
    // If the source has no type of its own, a bad record may have a type that no other record of the source has.
    const possible = type === undefined ? [] : [...types]
    if (isUnreadable) this.doubts.unsure(possible, 'unreadable')
    // An empty source is no reason to delete everything, since it may be a truncated save.
    if (this.#records === recordsBefore && !source.checksColumns) this.doubts.unsure(possible, 'empty')
  }

  /**
   * Notes missing cells and columns that the schema lacks, and warns of mapped columns that no record has. Must be called once
   * everything is read.
   */
  noteColumns(): void {
    for (const { mapper, sources, seen } of this.#readers.values()) {
      const [first, ...others] = sources
      // A list of rejected records need not have all columns.
      if (first === undefined) continue
      const source = first.name
      const where = `${source}${others.length === 0 ? '' : ` and ${others.length} more`}`
      for (const note of mapper.notes(where)) this.notes.add(note)
      for (const [list, text] of this.#described.changes(seen, where, this.rejected)) this[list].add(text)
      for (const column of first.checksColumns ? [] : mapper.unseen())
        this.warn({
          source,
          line: 1,
          kind: 'mapping',
          message: `${where}: the definition names ${JSON.stringify(column)}, and no record has it`,
        })
    }
  }

  /** Stages a batch of a source. Rejects records that repeat the type and id of an earlier record. */
  async stage(staged: Bulk, { source }: ImportSource, { entities, lines }: Batch): Promise<void> {
    const at = this.#names.indexOf(source.name)
    const marks = lines.map((line) => at * MOST_LINES + line)
    const keep = this.doubts.takeKeys()
    for (const { index, mark: first } of await staged.add(entities, { marks, keep })) {
      const entity = entities[index] as Entity
      const where = first === undefined ? '' : ` (${this.#placeOf(first)})`
      const message = `an earlier record${where} is the ${entity.type} ${JSON.stringify(entity.id)}`
      const faults: RecordFault[] = [{ pointer: '/id', reason: 'repeated', message }]
      this.#count(entity.type, -1)
      this.reject({ source: source.name, line: lines[index] as number, faults, entity })
    }
  }

  #placeOf(mark: number): string {
    return `${this.#names[Math.floor(mark / MOST_LINES)]}:${mark % MOST_LINES}`
  }

  async #readerOf(mapping: Mapping, joined?: JoinedFiles, source?: RecordSource): Promise<Reader> {
    const known = this.#readers.get(mapping)
    const newMapper = () => joiningMapper(mapping, joined, this.#options, this)
    const reader: Reader = known ?? { mapper: await newMapper(), sources: [], seen: new Map() }
    this.#readers.set(mapping, reader)
    if (source !== undefined) reader.sources.push(source)
    return reader
  }

  #entityOf(
    read: Extract<ReadRecord, { record: unknown }>,
    { mapper, seen }: Reader,
    { type, file, row }: RecordPlace & { readonly type: string | undefined },
    at: { readonly source: string; readonly line: number },
  ): Entity | undefined {
    const { record, cells } = read
    const types = this.#cellTypes(type ?? typeIn(record))
    const rejected = { ...at, record, ...(cells && { cells }) }
    const mapped = mapper(record, { cells: cells === true, types, type, file, row })
    const result = 'faults' in mapped ? mapped : entityFromRecord(mapped.record, { type })
    if ('faults' in result) {
      const isTyped = result.faults.every(({ pointer }) => pointer !== '/type')
      const types = [type, typeIn(record)].filter((one) => one !== undefined)
      const id = 'record' in mapped ? mapped.record['id'] : mapped.id
      this.doubts.rejected(isTyped ? types : [], Number.isSafeInteger(id) ? String(id) : id)
      this.reject({ ...rejected, faults: result.faults })
      return undefined
    }
    const { entity, bytesAtMost, warning } = result
    this.#described.see(seen, entity, record)
    if (!this.#keepsToSchema(entity, rejected)) return undefined
    const isDone = this.#options.unread?.has(entity.type) || this.committed.has(entity.type)
    if (isDone) throw new TypeUnread(entity.type)
    if (warning !== undefined) this.warn({ ...at, kind: 'portability', message: warning })
    this.filled.add(entity.type)
    this.#count(entity.type, 1)
    this.#batchBytes += bytesAtMost
    this.references.add(entity)
    return entity
  }

  #count(type: string, more: number): void {
    this.loaded.set(type, (this.loaded.get(type) ?? 0) + more)
  }

  #keepsToSchema(entity: Entity, rejected: Omit<Rejection, 'faults'>): boolean {
    const { source, line } = rejected
    const at = { source, line }
    const { faults, warnings } = this.#check(entity.type, entity.attributes)
    const textOf = (fault: RecordFault) => `/attributes${fault.pointer} ${fault.message}`
    for (const warning of warnings) this.warn({ ...at, kind: 'format', message: textOf(warning) })
    if (faults.length === 0) return true
    if (this.#options.onInvalid === 'warn') {
      for (const fault of faults) this.warn({ ...at, kind: 'schema', message: textOf(fault) })
      return true
    }
    const pointed = faults.map((fault) => ({ ...fault, pointer: `/attributes${fault.pointer}` }))
    this.doubts.rejected([entity.type], entity.id)
    this.reject({ ...rejected, faults: pointed })
    return false
  }

  /** Rejects a record, also of a joined file. */
  reject(found: Rejection): void {
    const rejection = this.#guessed.has(found.source) ? withGuesses(found) : found
    this.rejected++
    if (this.rejections.length < KEPT_REJECTIONS) this.rejections.push(rejection)
    this.#newRejections.push(rejection)
    if (this.#options.onInvalid === 'stop') throw new ImportStopped(rejection)
  }

  /** Warns of a record, also of a joined file. */
  warn(warning: ImportWarning): void {
    this.warned++
    this.#newWarnings.push(warning)
  }

  /** Yields the rejections and warnings added since the last call. */
  *events(): Generator<ImportEvent> {
    const [rejections, warnings] = [this.#newRejections, this.#newWarnings]
    this.#newRejections = []
    this.#newWarnings = []
    if (rejections.length > 0) yield { event: 'rejected', rejections }
    if (warnings.length > 0) yield { event: 'warned', warnings }
  }

  /** Returns the progress so far as an event. */
  progress(phase: ImportProgress['phase']): ImportEvent {
    return {
      event: 'progress',
      bytes: this.#bytes,
      ...(this.#totalBytes !== undefined && { totalBytes: this.#totalBytes }),
      records: this.#records,
      entities: Math.max(0, this.#records - this.rejected),
      phase,
    }
  }
}
