/** Precedence records of the memory engine: the file-backed types, and the entities owned by other writers. */
import { compareUtf8 } from './compare-utf8.ts'
import type { Owned, Precedence, Shadowed } from './contract.ts'

/** Revision last seen in the files: empty if the entity was removed from them, undefined if it was never in them. */
type Filed = string | undefined

/** A write or deletion that did not come from files. */
export interface OthersWrite {
  readonly type: string
  readonly id: string
  /** Revision that the write replaced; undefined if the entity did not exist. */
  readonly before: string | undefined
  readonly isDeleted: boolean
}

/** Outcome of a file import, for the precedence records. */
export interface FilesOutcome {
  readonly types: ReadonlySet<string>
  readonly replaced: ReadonlySet<string>
  readonly precedenceOf: (type: string) => Precedence
  /** Revisions in the files, by type and id, of entities that were kept although they differ from the files. */
  readonly held: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Reports whether the import stored the entity as it is in the files. */
  readonly isTaken: (type: string, id: string) => boolean
  /** Reports whether the files contain the entity, or may contain it, so that it must be kept. */
  readonly isStaged: (type: string, id: string) => boolean
  /** Returns the ids of a type's entities before the import. */
  readonly idsOf: (type: string) => readonly string[]
}

/** Records of owned entities. Must be updated only after a write has been committed. */
export class MemoryPrecedence {
  readonly #fileTypes = new Set<string>()
  readonly #owned = new Map<string, Map<string, Filed>>()

  isFileType(type: string): boolean {
    return this.#fileTypes.has(type)
  }

  /** Reports whether an entity or its deletion is kept although the files contain a different `revision`. */
  stays(type: string, id: string, revision: string, stored: boolean, precedence: Precedence): boolean {
    if (precedence === 'files') return false
    const owned = this.#owned.get(type)
    if (!owned?.has(id)) return precedence === 'api' && stored && !this.isFileType(type)
    return precedence === 'api' || owned.get(id) === revision
  }

  /** Reports whether a stored entity is kept although the files do not contain it. */
  keeps(type: string, id: string, precedence: Precedence): boolean {
    if (precedence === 'files') return false
    if (!this.isFileType(type)) return true
    const owned = this.#owned.get(type)
    return owned?.has(id) === true && (precedence === 'api' || !owned.get(id))
  }

  /** Records writes that did not come from files. */
  note(writes: readonly OthersWrite[]): void {
    for (const { type, id, before, isDeleted } of writes) {
      if (!this.isFileType(type)) continue
      const owned = this.#of(type)
      if (!owned.has(id)) owned.set(id, before)
      if (isDeleted && owned.get(id) === undefined) owned.delete(id)
    }
  }

  /** Records the outcome of a file import. */
  noteFiles(outcome: FilesOutcome): void {
    for (const type of outcome.types) {
      const precedence = outcome.precedenceOf(type)
      const held = outcome.held.get(type)
      if (!this.isFileType(type) && precedence !== 'files') {
        const owned = this.#of(type)
        for (const id of outcome.idsOf(type)) if (!outcome.isTaken(type, id)) owned.set(id, held?.get(id))
      }
      this.#fileTypes.add(type)
      for (const [id, filed] of this.#owned.get(type) ?? []) {
        const revision = held?.get(id)
        if (outcome.isTaken(type, id)) this.#of(type).delete(id)
        else if (revision !== undefined) this.#of(type).set(id, revision)
        else if (outcome.replaced.has(type) && !outcome.isStaged(type, id))
          this.#settle(type, id, filed, precedence)
      }
    }
  }

  /** Returns the owned entities, with up to `limit` shadowed ones. `stands` reports whether an entity exists. */
  owned(limit: number, stands: (type: string, id: string) => boolean): Owned {
    const types = [...this.#owned].filter(([, owned]) => owned.size > 0).sort(([a], [b]) => compareUtf8(a, b))
    const shadowed: Shadowed[] = []
    const counts = types.map(([type, owned]) => {
      const ids = [...owned].flatMap(([id, filed]) => (filed ? [id] : [])).sort(compareUtf8)
      for (const id of ids.slice(0, limit - shadowed.length))
        shadowed.push({ type, id, isDeleted: !stands(type, id) })
      return [type, { entities: owned.size, shadowed: ids.length }] as const
    })
    return { types: new Map(counts), shadowed }
  }

  /** Updates the record of an entity that the files no longer contain. */
  #settle(type: string, id: string, filed: Filed, precedence: Precedence): void {
    if (precedence === 'files' || (precedence === 'last' && filed)) this.#of(type).delete(id)
    else if (filed !== undefined) this.#of(type).set(id, '')
  }

  #of(type: string): Map<string, Filed> {
    const owned = this.#owned.get(type) ?? new Map<string, Filed>()
    this.#owned.set(type, owned)
    return owned
  }
}
