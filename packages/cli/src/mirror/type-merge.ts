/** Applies changes to the previous file of a type and writes the result to a new file. */
import { rm } from 'node:fs/promises'
import { LineWriter, linesOf, type WrittenLines } from './lines.ts'

/** Numbers of entities created, changed and deleted by a run. */
export interface Counts {
  created: number
  changed: number
  deleted: number
}

interface HeldEntity {
  readonly id: string
  readonly line: string
}

/** Files to merge and a callback for deletions. */
export interface TypeMergeOptions {
  /** Path of the previous file, sorted by id; undefined if there is none. */
  readonly before: string | undefined
  /** Path of the file to write. */
  readonly after: string
  /** True if `take` will be called for every existing entity. Any others in `before` are deleted. */
  readonly isAll: boolean
  /** Called with the id of each deleted entity. */
  readonly onDeleted: (id: string) => Promise<void>
}

/** Merges the entities of one type. `take` must be called in ascending order of ids. */
export class TypeMerge {
  readonly counts: Counts = { created: 0, changed: 0, deleted: 0 }
  readonly #options: TypeMergeOptions
  readonly #before: AsyncGenerator<HeldEntity, undefined>
  readonly #writer: LineWriter
  #held: HeldEntity | undefined

  private constructor(options: TypeMergeOptions, writer: LineWriter) {
    this.#options = options
    this.#writer = writer
    this.#before = entitiesOf(options.before)
  }

  /** Opens both files and reads the first entity of the previous file. */
  static async begin(options: TypeMergeOptions): Promise<TypeMerge> {
    const merge = new TypeMerge(options, await LineWriter.create(options.after))
    await merge.#advance()
    return merge
  }

  /** Applies the current state of an entity. An empty line is a tombstone. */
  async take(id: string, line: string): Promise<void> {
    while (this.#held && this.#held.id < id) await this.#pass()
    const before = this.#held?.id === id ? this.#held.line : undefined
    if (before !== undefined) await this.#advance()
    if (line !== '') await this.#writer.add(line)
    if (line === '') {
      if (before !== undefined) await this.#delete(id)
    } else if (before === undefined) this.counts.created += 1
    else if (before !== line) this.counts.changed += 1
  }

  /** Completes the new file and returns its size and hash, or deletes it if it is unchanged (`same`) or `empty`. */
  async end(): Promise<WrittenLines | 'same' | 'empty'> {
    while (this.#held) await this.#pass()
    const written = await this.#writer.end()
    const { created, changed, deleted } = this.counts
    const isSame = created + changed + deleted === 0
    if (written.lines > 0 && !isSame) return written
    await rm(this.#options.after)
    return written.lines === 0 ? 'empty' : 'same'
  }

  /** Closes both files. */
  async abandon(): Promise<void> {
    await this.#before.return(undefined)
    await this.#writer.abandon()
  }

  /** Copies the current entity of the previous file to the new file, or reports it as deleted if `isAll`. */
  async #pass(): Promise<void> {
    if (!this.#held) return
    if (this.#options.isAll) await this.#delete(this.#held.id)
    else await this.#writer.add(this.#held.line)
    await this.#advance()
  }

  async #delete(id: string): Promise<void> {
    this.counts.deleted += 1
    await this.#options.onDeleted(id)
  }

  async #advance(): Promise<void> {
    this.#held = (await this.#before.next()).value
  }
}

async function* entitiesOf(file: string | undefined): AsyncGenerator<HeldEntity, undefined> {
  if (file !== undefined) for await (const line of linesOf(file)) yield { id: JSON.parse(line).id, line }
  return undefined
}
