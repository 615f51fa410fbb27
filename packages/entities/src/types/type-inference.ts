/** Infers descriptions of types: a title from the type name, and a schema from the data. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import { namedValue, type Store } from '@worldwright/core/store'
import { SchemaInference } from '../schemas/infer-schema.ts'

/** Key under which a store keeps the inferred descriptions, as a JSON array in ascending type order. */
export const TYPES_KEY = 'types'

/** Infers a title and a schema for each type of the entities added to it. */
export class TypeInference {
  readonly #inferences = new Map<string, SchemaInference>()

  /** Widens the description of the entity's type to cover `entity`. */
  add(entity: Entity): void {
    let inference = this.#inferences.get(entity.type)
    if (!inference) {
      inference = new SchemaInference()
      this.#inferences.set(entity.type, inference)
    }
    inference.add(entity.attributes)
  }

  /** Returns the types seen so far, in ascending order. */
  types(): string[] {
    return [...this.#inferences.keys()].sort()
  }

  /** Returns the inferred descriptions in ascending type order, each widened to cover its type's schema in `known`. */
  descriptions(known: ReadonlyMap<string, EntityTypeDescription> = new Map()): EntityTypeDescription[] {
    return this.types().map((type) => {
      const inference = this.#inferences.get(type) ?? new SchemaInference()
      const before = known.get(type)?.schema
      if (before) inference.addSchema(before)
      return { type, title: titleFromType(type), schema: inference.schema() }
    })
  }
}

/**
 * Merges the descriptions in `inference` into `kept`, the stored value of `TYPES_KEY`, and returns the new value. Each
 * description covers the old and the new data, or only the new data for a type in `replaced`.
 */
export function widened(
  kept: string | undefined,
  inference: TypeInference,
  replaced: ReadonlySet<string> = new Set(),
): string | undefined {
  const before = descriptionsIn(kept)
  const known = new Map([...before].filter(([type]) => !replaced.has(type)))
  const merged = new Map(before)
  for (const description of inference.descriptions(known)) merged.set(description.type, description)
  return merged.size === 0 ? undefined : JSON.stringify([...merged.values()].sort(byType))
}

/** Returns the inferred descriptions that a store keeps, by type. */
export async function inferredTypes(store: Store): Promise<Map<string, EntityTypeDescription>> {
  return descriptionsIn((await namedValue(store, TYPES_KEY))?.value)
}

/** Derives a title from a type name: `sol:dwarf-planet` becomes "Dwarf planet". */
export function titleFromType(type: string): string {
  const words = type
    .slice(type.indexOf(':') + 1)
    .replace(/([a-z0-9])([A-Z])(?![A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`)
    .replace(/[._-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function descriptionsIn(text: string | undefined): Map<string, EntityTypeDescription> {
  const descriptions: EntityTypeDescription[] = text === undefined ? [] : JSON.parse(text)
  return new Map(descriptions.map((description) => [description.type, description]))
}

function byType(a: EntityTypeDescription, b: EntityTypeDescription): number {
  return a.type < b.type ? -1 : 1
}
