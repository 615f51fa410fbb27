/** Examines a whole store, whatever its engine. */
import { createHash } from 'node:crypto'
import { type EntityRef, visitReferences } from '@worldwright/client/protocol'
import type { EntityKey, StoredEntity } from '@worldwright/core/store'
import { entityIn, entityProblem } from './entity-problem.ts'

/** Report on a whole store. */
export interface StoreReport {
  readonly entities: number
  /** Number of entities by type. Types are in ascending order. */
  readonly types: Readonly<Record<string, number>>
  /** Digest of types, ids and revisions. Stores with the same content have the same digest, whatever their timestamps. */
  readonly contentHash: string
  /** Descriptions of the damage found, at most a hundred; empty if the store is sound. */
  readonly problems: readonly string[]
  /** Number of references to missing entities of this world. They do not count as damage. */
  readonly dangling: number
  readonly danglingExamples: readonly string[]
}

const MAX_PROBLEMS = 100
const EXAMPLES = 20

/** Collects findings. Entities must be added in ascending order of type and id. */
export class StoreExamination {
  readonly #digest = createHash('sha256')
  readonly #types: Record<string, number> = {}
  readonly #problems: string[] = []
  readonly #examples: string[] = []
  #entities = 0
  #dangling = 0

  /** Adds a description of damage, which is a full sentence. */
  problem(said: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(said)
  }

  /** Examines an entity and returns its references. `otherwise` is reported if the examination itself finds no problem. */
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

  /** Adds a reference whose target does not exist. The first argument is the entity that contains the reference. */
  dangling({ type, id }: EntityKey, reference: EntityRef): void {
    this.#dangling += 1
    if (this.#examples.length < EXAMPLES)
      this.#examples.push(`${type} ${id}: there is no ${reference.type} ${reference.id}`)
  }

  /** Compares stored counts with the examined entities. Must be called after all entities have been examined. */
  counts(kept: Iterable<readonly [type: string, count: number]>): void {
    for (const [type, count] of kept) {
      const has = this.#types[type] ?? 0
      if (count !== has) this.problem(`${type} counts ${count} entities and has ${has}.`)
    }
  }

  /** Returns the report on all findings. */
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
