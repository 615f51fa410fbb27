/** Examination of a whole store, in any engine. */
import { createHash } from 'node:crypto'
import { type EntityRef, visitReferences } from '@worldwright/client/protocol'
import type { EntityKey, StoredEntity } from '@worldwright/core/store'
import { entityIn, entityProblem } from './entity-problem.ts'

/** Report on a store as a whole. */
export interface StoreReport {
  readonly entities: number
  /** Entities per type, ascending by type. */
  readonly types: Readonly<Record<string, number>>
  /** Digest over types, ids and revisions: equal for stores with the same content, times aside. */
  readonly contentHash: string
  /** Damage, in words; empty if the store is sound. At most a hundred. */
  readonly problems: readonly string[]
  /** References to entities of this world that do not exist: no damage, but worth knowing. */
  readonly dangling: number
  readonly danglingExamples: readonly string[]
}

const MAX_PROBLEMS = 100
const EXAMPLES = 20

/** Collects findings. Entities must come ascending by type, then id. */
export class StoreExamination {
  readonly #digest = createHash('sha256')
  readonly #types: Record<string, number> = {}
  readonly #problems: string[] = []
  readonly #examples: string[] = []
  #entities = 0
  #dangling = 0

  /** Notes damage, as a sentence. */
  problem(said: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(said)
  }

  /** Examines an entity. `otherwise`: another problem of it. Returns its references. */
  entity(stored: StoredEntity, otherwise?: string): EntityRef[] {
    const { type, id, revision, json } = stored
    this.#entities += 1
    this.#types[type] = (this.#types[type] ?? 0) + 1
    this.#digest.update(`${type}\n${id}\n${revision}\n`)
    const entity = entityIn(json)
    const problem = entityProblem(stored, entity) ?? otherwise
    if (problem !== undefined) this.problem(`${type} ${id}: ${problem}.`)
    const references: EntityRef[] = []
    visitReferences(entity?.attributes ?? null, (reference) => references.push(reference))
    return references
  }

  /** Notes a reference of an entity to one that does not exist. */
  dangling({ type, id }: EntityKey, reference: EntityRef): void {
    this.#dangling += 1
    if (this.#examples.length < EXAMPLES)
      this.#examples.push(`${type} ${id}: there is no ${reference.type} ${reference.id}`)
  }

  /** Compares the counts that a store keeps with its entities, which have all been examined. */
  counts(kept: Iterable<readonly [type: string, count: number]>): void {
    for (const [type, count] of kept) {
      const has = this.#types[type] ?? 0
      if (count !== has) this.problem(`${type} counts ${count} entities and has ${has}.`)
    }
  }

  /** Returns the report of all findings. */
  report(): StoreReport {
    return {
      entities: this.#entities,
      types: this.#types,
      contentHash: this.#digest.digest('hex'),
      problems: this.#problems,
      dangling: this.#dangling,
      danglingExamples: this.#examples,
    }
  }
}
