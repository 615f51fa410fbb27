/** The canonical id of a world: given by its definition, or kept in its store from its first start on. */
import type { Store } from '@worldwright/core/store'
import { namedValue } from '@worldwright/core/store'
import type { WorldDefinition } from './definition.ts'

const METADATA_KEY = 'worldId'

/** The definition gives a world another id than its store has: one of them belongs to another world. */
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

/** The id that a store keeps, which needs no writing; undefined if it keeps none yet. @throws WorldIdFault as `worldId` */
export async function keptWorldId(
  definition: WorldDefinition,
  storage: Pick<Store, 'values'>,
): Promise<string | undefined> {
  const stored = (await namedValue(storage, METADATA_KEY))?.value
  if (stored !== undefined && definition.id !== undefined && definition.id !== stored)
    throw new WorldIdFault(definition.id, stored)
  return stored
}

/**
 * The world's id (decisions 1): the definition's, else the store's, else a new one. Whichever it is, the store keeps it.
 * @throws WorldIdFault where definition and store name different ids.
 */
export async function worldId(definition: WorldDefinition, storage: Store): Promise<string> {
  const stored = await keptWorldId(definition, storage)
  if (stored !== undefined) return stored
  const id = definition.id ?? `urn:uuid:${crypto.randomUUID()}`
  await storage.write([], { values: { [METADATA_KEY]: id } })
  return id
}
