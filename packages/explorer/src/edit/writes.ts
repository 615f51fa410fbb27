/** Writes of the editor: each on the condition that the entity is as the user saw it, so that nothing is overwritten. */
import { type Signal, signal } from '@preact/signals'
import { type EntityRef, isWorldError, type JsonObject, type World } from '@worldwright/client'
import { mintId, Operator, type OperatorType } from '@worldwright/client/operator'
import { patchFor, type Version, versionOf } from './content.ts'

/** Answer of a world about its types and a token. Undefined until it arrives, null if the world does not accept the token. */
type Access = Signal<readonly Told[] | null | undefined>
type Told = Pick<OperatorType, 'type' | 'schema' | 'writable'>

const accesses = new WeakMap<World, Access>()

/** Returns the access to an open world, which was connected with the token. Asks the world once. */
export function accessTo(world: World): Access {
  const known = accesses.get(world)
  if (known !== undefined) return known
  const access: Access = signal(undefined)
  accesses.set(world, access)
  new Operator(world).types().then(
    (types) => {
      access.value = types
    },
    // A world that does not say gets writes, and refuses them itself.
    (error) => {
      access.value = isWorldError(error) && error.status === 401 ? null : []
    },
  )
  return access
}

/** Notes that the world has refused to let the token write a type. */
export function noteRefusal(world: World, type: string): void {
  const access = accessTo(world)
  const types = access.value ?? []
  access.value = [{ ...types.find((one) => one.type === type), type, writable: false }, ...types]
}

/** A change that can be undone. Without `before` it created the entity, without `after` it deleted it. */
export interface Change {
  readonly origin: string
  readonly entity: EntityRef
  readonly name: string
  readonly before: Version | undefined
  readonly after: Version | undefined
  readonly isUndone?: boolean
}

/** The last change of this page, until it is left. */
export const lastChange = signal<Change | undefined>(undefined)

/**
 * Leads an entity from one state to another: creates it if `from` is undefined, and deletes it if `to` is. Only changed
 * members are sent. Rejects with `precondition_failed` if the entity is not as in `from`.
 */
export async function write(
  world: World,
  { type, id }: EntityRef,
  from: Version | undefined,
  to: JsonObject | undefined,
): Promise<Version | undefined> {
  const operator = new Operator(world)
  const ifRevision = from?.revision
  if (to === undefined) {
    await operator.delete(type, id, { ifRevision })
    return undefined
  }
  const patch = from && patchFor(from.content, to)
  const { entity } = await (patch
    ? operator.patch(type, id, patch, { ifRevision })
    : operator.put(type, id, to as never, from ? { ifRevision } : { ifAbsent: true }))
  return versionOf(entity)
}

/** Writes like `write`, and remembers the change. A new entity without an id gets one. */
export async function change(
  world: World,
  given: EntityRef,
  from: Version | undefined,
  to: JsonObject | undefined,
): Promise<Change> {
  const entity = { type: given.type, id: given.id === '' ? mintId() : given.id }
  const after = await write(world, entity, from, to)
  const title = (to ?? from?.content)?.['title']
  const name = typeof title === 'string' ? title : entity.id
  const done = { origin: world.origin, entity, name, before: from, after }
  lastChange.value = done
  return done
}

/** Restores what was before a change. Rejects with `precondition_failed` if there was another change since. */
export async function undo(world: World, done: Change): Promise<void> {
  const { entity, before, after } = done
  const restored = await write(world, entity, after, before?.content)
  lastChange.value = { ...done, before: after, after: restored, isUndone: true }
}

/** Returns the present state of an entity, or undefined if it has been deleted. */
export async function present(world: World, { type, id }: EntityRef): Promise<Version | undefined> {
  try {
    return versionOf(await world.get(type, id))
  } catch (error) {
    if (isWorldError(error) && error.status === 404) return undefined
    throw error
  }
}
