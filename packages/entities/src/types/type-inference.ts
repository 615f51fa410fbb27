/** Type inference: describes types that have no author, with a title from their name and a schema from their data. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { namedValue } from '@worldwright/core/store'
import { SchemaInference } from '../schemas/infer-schema.ts'

/** Metadata key of the derived descriptions, a JSON array ascending by type. */
export const TYPES_KEY = 'types'

/** Infers a title and a schema for each type while its entities are loaded. */
export class TypeInference {
  readonly #inferences = new Map<string, SchemaInference>()

  /** Learns from an entity. */
  add(entity: Entity): void {
    let inference = this.#inferences.get(entity.type)
    if (!inference) {
      inference = new SchemaInference()
      this.#inferences.set(entity.type, inference)
    }
    inference.add(entity.attributes)
  }

  /** Returns the types seen, ascending. */
  types(): string[] {
    return [...this.#inferences.keys()].sort()
  }

  /** Returns the inferred descriptions, ascending by type. A schema in `known` also holds for the result. */
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
 * Returns the descriptions to keep after learning, given the kept ones (the value of `TYPES_KEY`). A kept description of the
 * same type is widened to hold for both or, if the type is in `replaced`, gives way; other types keep theirs.
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

/** Returns the descriptions inferred from the store's entities, by type. */
export async function inferredTypes(storage: Store): Promise<Map<string, EntityTypeDescription>> {
  return descriptionsIn((await namedValue(storage, TYPES_KEY))?.value)
}

/** Returns a title for a type without one: its name in words. `sol:dwarf-planet` gives "Dwarf planet". */
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
