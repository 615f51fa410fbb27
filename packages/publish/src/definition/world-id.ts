/** The canonical id of a world: given by its definition, or generated at the first start and kept in its store. */
import type { Store } from '@worldwright/core/store'
import { namedValue } from '@worldwright/core/store'
import type { WorldDefinition } from './definition.ts'

const METADATA_KEY = 'worldId'

/** Definition and store have different ids: one of them belongs to another world. */
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

/** Returns the id that a store keeps, without writing; undefined if it keeps none yet. @throws WorldIdFault as `worldId` */
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
 * Returns the world's id (decisions 1): the definition's, else the store's, else a new one. The store keeps it in any case.
 * @throws WorldIdFault if definition and store have different ids.
 */
export async function worldId(definition: WorldDefinition, storage: Store): Promise<string> {
  const stored = await keptWorldId(definition, storage)
  if (stored !== undefined) return stored
  const id = definition.id ?? `urn:uuid:${crypto.randomUUID()}`
  await storage.write([], { values: { [METADATA_KEY]: id } })
  return id
}
