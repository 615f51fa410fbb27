/** How writes change entities: the same for every engine, inside whatever transaction the engine has. */
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
  /** Of a damaged entity, `unreadable`. */
  get(type: string, id: string): StoredEntity | undefined
  /** Keeps an entity whose content is new, instead of what is stored under its key: undefined if nothing does. */
  put(entity: StoredEntity, before: StoredEntity | undefined): void
  /** Removes an entity that is there. */
  delete(entity: StoredEntity): void
}

/** Stands for a damaged entity that is about to be written over: without a text, and with a revision that none has. */
export function unreadable(type: string, id: string): StoredEntity {
  return { type, id, revision: '', json: '' }
}

/** An operation with its costly part done, so that no lock is held meanwhile. */
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

/** What operations came to, before the engine has committed or undone them. */
export type Applied =
  | { readonly done: true; readonly outcomes: readonly Outcome[] }
  | { readonly done: false; readonly failed: number }

/**
 * Applies operations in order, at the time `at` (RFC 3339), until the first whose precondition fails. The engine
 * undoes everything where the result is not `done`, and only then knows the `current` entity.
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

/** Puts one entity over what `existing` is: the same content changes nothing, and the first creation time stays. */
export function applyPut(
  table: EntityTable,
  prepared: PreparedEntity,
  existing: StoredEntity | undefined,
  at: string,
): Outcome {
  if (existing?.revision === prepared.revision) return { change: 'unchanged', entity: existing }
  // When a damaged one was first put, nobody knows any more.
  const entity = existing?.json ? changedFrom(prepared, existing, at) : storedFrom(prepared, at, at)
  table.put(entity, existing)
  return { change: existing ? 'changed' : 'created', entity }
}

/** What a refused write answers, once everything is undone: what is stored under the key that failed. */
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

/** The first name, in order, whose value is not what a write depends on; undefined if all are. */
export function unmetValue(
  ifValues: NamedValues | undefined,
  valueNow: (key: string) => string | undefined,
): string | undefined {
  return Object.keys(ifValues ?? {})
    .sort()
    .find((key) => valueNow(key) !== ifValues?.[key])
}

/** Refuses a commit where types or metadata are not what it was decided by. @throws StorageFault `stale` */
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
