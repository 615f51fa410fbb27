/** Applies write operations within a transaction of the engine. Works with any engine. */
import {
  type CommitOptions,
  type NamedValues,
  type Operation,
  type Outcome,
  type Precondition,
  preconditionHolds,
  type StoredEntity,
  StoreFault,
  type TypeState,
  type WriteResult,
} from './contract.ts'
import { changedFrom, type PreparedEntity, prepare, storedFrom } from './prepared.ts'

/** An engine's entities within one transaction. */
export interface EntityTable {
  /** Returns the entity, or the placeholder `unreadable(type, id)` if it is damaged. */
  get(type: string, id: string): StoredEntity | undefined
  /** Stores an entity. `before` is the stored entity that it replaces, or undefined if there is none. */
  put(entity: StoredEntity, before: StoredEntity | undefined): void
  /** Deletes an entity, which must exist. */
  delete(entity: StoredEntity): void
}

/** Returns the placeholder for a damaged entity about to be overwritten, with empty JSON and an empty revision. */
export function unreadable(type: string, id: string): StoredEntity {
  return { type, id, revision: '', json: '' }
}

/** An operation whose expensive part was done in advance, to keep that work outside of locks. */
export type PreparedOperation =
  | { readonly put: PreparedEntity; readonly precondition?: Precondition | undefined }
  | {
      readonly delete: { readonly type: string; readonly id: string }
      readonly precondition?: Precondition | undefined
    }

/** Prepares operations for `applyOperations`, in order. */
export function prepareOperations(operations: readonly Operation[]): PreparedOperation[] {
  return operations.map((operation) =>
    'put' in operation ? { ...operation, put: prepare(operation.put) } : operation,
  )
}

/** Result of applying operations, before the engine commits or rolls back. */
export type Applied =
  | { readonly done: true; readonly outcomes: readonly Outcome[] }
  | { readonly done: false; readonly failed: number }

/**
 * Applies operations in order, and stops at the first failed precondition. `at` is the time of the write (RFC 3339). If the
 * result is not `done`, the engine must roll back and then call `refusal`.
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

/** Stores an entity in place of `existing`, unless the content is equal. Keeps the creation time. */
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

/** Builds the result of a refused write, with the entity stored under the failed key. Must be called after the rollback. */
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

/** Returns the first name, in ascending order, whose value differs from the one in `ifValues`, or undefined if all match. */
export function unmetValue(
  ifValues: NamedValues | undefined,
  valueNow: (key: string) => string | undefined,
): string | undefined {
  return Object.keys(ifValues ?? {})
    .sort()
    .find((key) => valueNow(key) !== ifValues?.[key])
}

/** Refuses a commit if the type versions or values that it expects have changed. @throws StoreFault `stale` */
export function refuseStale(
  { ifVersions = new Map(), ifValues }: CommitOptions,
  types: ReadonlyMap<string, TypeState>,
  valueNow: (key: string) => string | undefined,
): void {
  const unmet = unmetValue(ifValues, valueNow)
  if (unmet !== undefined)
    throw new StoreFault('stale', `Others have written the value ${unmet} meanwhile. Decide again.`)
  for (const [type, version] of ifVersions) {
    if ((types.get(type)?.version ?? '') === version) continue
    throw new StoreFault('stale', `Others have written ${type} meanwhile. Decide again what to replace.`)
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
