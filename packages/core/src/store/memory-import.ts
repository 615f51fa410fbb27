/** Imports into the memory engine. Entities are staged in maps, and committed as a single change. */
import { abortable } from './abortable.ts'
import { applyPut, refuseStale } from './apply.ts'
import type { Bulk, EntityKey, ImportCounts, ImportStart, NamedValues, Repeated } from './contract.ts'
import { positionOf } from './history.ts'
import type { FilesOutcome, MemoryPrecedence } from './memory-precedence.ts'
import { MemoryDraft, type MemoryState, typeStates } from './memory-state.ts'
import { precedenceOf } from './precedence-of.ts'
import { type PreparedEntity, prepare } from './prepared.ts'
import { find } from './sorted.ts'

interface ImportTarget {
  readonly state: MemoryState
  readonly precedence: MemoryPrecedence
  /** Installs a draft as the new state, together with named values. */
  keep(draft: MemoryDraft, values: NamedValues | undefined): void
  /** Returns the current time as an RFC 3339 timestamp. */
  timestamp(): string
}

/** Begins an import that stages its entities in memory. */
export function createMemoryImport(store: ImportTarget, { files }: ImportStart = {}): Bulk {
  let staged: Staged | undefined = new Staged(store, files)

  function open(): Staged {
    if (!staged) throw new Error('This import has ended: it was committed or aborted.')
    return staged
  }

  return abortable<Bulk>({
    add(entities, { marks, keep = [] } = {}) {
      open().protect(keep)
      return open().add(entities, marks)
    },
    unstaged: (types) =>
      new Map(
        types.map((type) => {
          const missing = open().missing(type).length
          return [type, { kept: open().kept(type), missing }]
        }),
      ),
    commit(options = {}) {
      const all = open()
      const { state } = store
      const position = () => positionOf(store.state.epoch, store.state.number)
      if (options.dryRun)
        return { ...all.apply(new MemoryDraft(state), new Set(options.replace)), position: position() }
      refuseStale(options, typeStates(state), (key) => state.values.get(key)?.value)
      const draft = new MemoryDraft(state)
      const replaced = new Set(options.replace)
      const counts = all.apply(draft, replaced)
      const outcome = all.outcome(replaced)
      store.keep(draft, options.values)
      if (files) store.precedence.noteFiles(outcome)
      else store.precedence.note(draft.writes)
      staged = undefined
      return { ...counts, position: position() }
    },
    abort() {
      staged = undefined
    },
  })
}

/** Entities staged by one import, and their effect on the store. */
class Staged {
  readonly #store: ImportTarget
  readonly #files: ImportStart['files']
  readonly #types = new Map<string, Map<string, PreparedEntity>>()
  readonly #kept = new Map<string, Set<string>>()
  readonly #marks = new Map<string, number | undefined>()

  constructor(store: ImportTarget, files: ImportStart['files']) {
    this.#store = store
    this.#files = files
  }

  add(entities: Parameters<Bulk['add']>[0], marks: readonly number[] = []): Repeated[] {
    const repeated: Repeated[] = []
    for (const [at, entity] of entities.entries()) {
      const ids = this.#types.get(entity.type) ?? new Map<string, PreparedEntity>()
      const key = `${entity.type}\n${entity.id}`
      if (ids.has(entity.id)) repeated.push({ index: at, mark: this.#marks.get(key) })
      else {
        this.#types.set(entity.type, ids.set(entity.id, prepare(entity)))
        this.#marks.set(key, marks[at])
      }
    }
    return repeated
  }

  protect(keys: readonly EntityKey[]): void {
    for (const { type, id } of keys) {
      const ids = this.#kept.get(type) ?? new Set()
      this.#kept.set(type, ids.add(id))
    }
  }

  /** Counts the stored entities of a type that are named in `keep` and were not staged. */
  kept(type: string): number {
    const ids = [...(this.#kept.get(type) ?? [])]
    return ids.filter((id) => !this.#types.get(type)?.has(id) && this.#stored(type, id)).length
  }

  /** Returns the stored entities that a replacement of the type would delete. */
  missing(type: string) {
    const precedence = this.#precedenceOf(type)
    return (this.#store.state.types.get(type)?.entities ?? [])
      .flat()
      .filter(({ id }) => !this.#isStaged(type, id) && !this.#store.precedence.keeps(type, id, precedence))
  }

  /** Applies the staged entities to a draft, and deletes unstaged entities of replaced types. */
  apply(draft: MemoryDraft, replace: ReadonlySet<string>): ImportCounts {
    const at = this.#store.timestamp()
    const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
    for (const type of replace) {
      const missing = this.missing(type)
      for (const entity of missing) draft.delete(entity)
      counts.deleted += missing.length
    }
    for (const [type, ids] of this.#types) {
      for (const prepared of ids.values()) {
        const { change } = this.#stays(prepared)
          ? { change: 'unchanged' as const }
          : applyPut(draft, prepared, draft.get(type, prepared.id), at)
        if (change === 'created' || change === 'changed' || change === 'unchanged') counts[change]++
      }
    }
    return counts
  }

  /** Returns the outcome of the import for the precedence records. Must be called before the commit. */
  outcome(replaced: ReadonlySet<string>): FilesOutcome {
    const held = new Map(
      [...this.#types].map(([type, ids]) => {
        const stay = [...ids.values()].filter((prepared) => this.#stays(prepared))
        return [type, new Map(stay.map(({ id, revision }) => [id, revision]))] as const
      }),
    )
    const { state } = this.#store
    return {
      types: new Set([...this.#types.keys(), ...replaced]),
      replaced: new Set([...replaced].filter((type) => this.#store.precedence.isFileType(type))),
      precedenceOf: (type) => this.#precedenceOf(type),
      held,
      isTaken: (type, id) => this.#types.get(type)?.has(id) === true && !held.get(type)?.has(id),
      isStaged: (type, id) => this.#isStaged(type, id),
      idsOf: (type) => (state.types.get(type)?.entities ?? []).flat().map(({ id }) => id),
    }
  }

  /** Returns the precedence of a type, or `files` if the import is not from files: such imports always win. */
  #precedenceOf(type: string) {
    return this.#files ? precedenceOf(type, this.#files) : 'files'
  }

  #stays({ type, id, revision }: PreparedEntity): boolean {
    const stored = this.#stored(type, id)
    if (stored?.revision === revision) return false
    return this.#store.precedence.stays(type, id, revision, stored !== undefined, this.#precedenceOf(type))
  }

  #isStaged(type: string, id: string): boolean {
    return this.#types.get(type)?.has(id) === true || this.#kept.get(type)?.has(id) === true
  }

  #stored(type: string, id: string) {
    return find(this.#store.state.types.get(type)?.entities ?? [], id)
  }
}
