/** Canonical id of a world, either set by its definition or generated at the first start and kept in its store. */
import { namedValue, type Store } from '@worldwright/core/store'
import type { WorldDefinition } from './definition.ts'

const METADATA_KEY = 'worldId'

/** Thrown if a definition and a store have different ids, which means that one of them belongs to another world. */
export class WorldIdFault extends Error {
  override readonly name = 'WorldIdFault'
  readonly defined: string
  readonly stored: string

  constructor(defined: string, stored: string) {
    super(
      `The definition says the world is ${defined}, but the store holds the world ${stored}. ` +
        'Give the definition the id of the store, or serve it from another store.',
    )
    this.defined = defined
    this.stored = stored
  }
}

/** Returns the id kept in a store, or undefined if there is none. Writes nothing. @throws WorldIdFault as `worldId` does */
export async function keptWorldId(
  definition: WorldDefinition,
  store: Pick<Store, 'values'>,
): Promise<string | undefined> {
  const stored = (await namedValue(store, METADATA_KEY))?.value
  if (stored !== undefined && definition.id !== undefined && definition.id !== stored)
    throw new WorldIdFault(definition.id, stored)
  return stored
}

/**
 * Returns the world's id (decisions 1) from the definition or the store, or generates one, and keeps it in the store. Of
 * several processes that start at once on an empty store, one generates it.
 * @throws WorldIdFault if the definition and the store have different ids
 */
export async function worldId(definition: WorldDefinition, store: Store): Promise<string> {
  const stored = await keptWorldId(definition, store)
  if (stored !== undefined) return stored
  const id = definition.id ?? `urn:uuid:${crypto.randomUUID()}`
  const { done } = await store.write([], {
    values: { [METADATA_KEY]: id },
    ifValues: { [METADATA_KEY]: undefined },
  })
  return done ? id : worldId(definition, store)
}
