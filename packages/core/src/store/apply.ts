/** Application of writes to entities: the same for every engine, inside whatever transaction the engine has. */
import {
  type CommitOptions,
  type NamedValues,
  type Operation,
  type Outcome,
  type Precondition,
  preconditionHolds,
  StorageFault,
  type StoredEntity,
  type TypeState,
  type WriteResult,
} from './contract.ts'
import { changedFrom, type PreparedEntity, prepare, storedFrom } from './prepared.ts'

/** An engine's entities within one transaction. */
export interface EntityTable {
  /** Returns `unreadable` for a damaged entity. */
  get(type: string, id: string): StoredEntity | undefined
  /** Stores an entity with new content in place of `before`, the entity under its key; undefined if there is none. */
  put(entity: StoredEntity, before: StoredEntity | undefined): void
  /** Removes an entity that exists. */
  delete(entity: StoredEntity): void
}

/** Returns the placeholder of a damaged entity about to be overwritten: an empty text, and a revision that no entity has. */
export function unreadable(type: string, id: string): StoredEntity {
  return { type, id, revision: '', json: '' }
}

/** An operation whose costly part is done in advance, so that no lock is held meanwhile. */
export type PreparedOperation =
  | { readonly put: PreparedEntity; readonly precondition?: Precondition | undefined }
  | {
      readonly delete: { readonly type: string; readonly id: string }
      readonly precondition?: Precondition | undefined
    }

/** Prepares operations, in their order. */
export function prepareOperations(operations: readonly Operation[]): PreparedOperation[] {
  return operations.map((operation) =>
    'put' in operation ? { ...operation, put: prepare(operation.put) } : operation,
  )
}

/** Outcomes of operations, before the engine has committed or rolled back. */
export type Applied =
  | { readonly done: true; readonly outcomes: readonly Outcome[] }
  | { readonly done: false; readonly failed: number }

/**
 * Applies operations in order, at the time `at` (RFC 3339), until the first whose precondition fails. The engine
 * rolls back if the result is not `done`, and only then knows the `current` entity.
 */
export function applyOperations(
  table: EntityTable,
  operations: readonly PreparedOperation[],
  at: string,
): Applied {
  const outcomes: Outcome[] = []
  for (const [index, operation] of operations.entries()) {
    const { type, id } = keyOf(operation)
    const existing = table.get(type, id)
    if (!preconditionHolds(operation.precondition ?? {}, existing)) return { done: false, failed: index }
    outcomes.push(
      'put' in operation ? applyPut(table, operation.put, existing, at) : applyDelete(table, existing),
    )
  }
  return { done: true, outcomes }
}

/** Puts one entity over `existing`: equal content changes nothing, and the first creation time is kept. */
export function applyPut(
  table: EntityTable,
  prepared: PreparedEntity,
  existing: StoredEntity | undefined,
  at: string,
): Outcome {
  if (existing?.revision === prepared.revision) return { change: 'unchanged', entity: existing }
  // The creation time of a damaged entity is lost.
  const entity = existing?.json ? changedFrom(prepared, existing, at) : storedFrom(prepared, at, at)
  table.put(entity, existing)
  return { change: existing ? 'changed' : 'created', entity }
}

/** Builds the result of a refused write after the rollback, with the entity stored under the key that failed. */
export function refusal(
  operations: readonly PreparedOperation[],
  failed: number,
  get: EntityTable['get'],
): WriteResult {
  const operation = operations[failed]
  const key = operation && keyOf(operation)
  const current = key && get(key.type, key.id)
  return current ? { done: false, failed, current } : { done: false, failed }
}

/** Returns the first name, in order, whose value differs from what a write depends on; undefined if none does. */
export function unmetValue(
  ifValues: NamedValues | undefined,
  valueNow: (key: string) => string | undefined,
): string | undefined {
  return Object.keys(ifValues ?? {})
    .sort()
    .find((key) => valueNow(key) !== ifValues?.[key])
}

/** Refuses a commit if types or values have changed since it was decided. @throws StorageFault `stale` */
export function refuseStale(
  { ifVersions = new Map(), ifValues }: CommitOptions,
  types: ReadonlyMap<string, TypeState>,
  valueNow: (key: string) => string | undefined,
): void {
  const unmet = unmetValue(ifValues, valueNow)
  if (unmet !== undefined)
    throw new StorageFault('stale', `Others have written the value ${unmet} meanwhile. Decide again.`)
  for (const [type, version] of ifVersions) {
    if ((types.get(type)?.version ?? '') === version) continue
    throw new StorageFault('stale', `Others have written ${type} meanwhile. Decide again what to replace.`)
  }
}

function applyDelete(table: EntityTable, existing: StoredEntity | undefined): Outcome {
  if (!existing) return { change: 'missing' }
  table.delete(existing)
  return { change: 'deleted' }
}

function keyOf(operation: PreparedOperation): { readonly type: string; readonly id: string } {
  return 'put' in operation ? operation.put : operation.delete
}
