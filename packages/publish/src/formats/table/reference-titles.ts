import { type Entity, isObject, type JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import { SEPARATOR, type TableColumn, TableTooLarge } from './export-columns.ts'

/** Maximum number of entities whose titles are held in memory. */
const MAX_TITLES = 500_000

/**
 * Reads the titles of all entities to which columns refer. The result returns those of a value: nothing for an entity that is
 * not found, several with semicolons between them, or as JSON if one contains a semicolon.
 * @throws TableTooLarge if there are more than 500,000
 */
export async function referenceTitles(
  snapshot: Snapshot,
  type: string | undefined,
  columns: readonly TableColumn[],
): Promise<(value: JsonValue | undefined, column: TableColumn) => string> {
  const referring = columns.filter(({ hasTitles }) => hasTitles)
  const titles = new Map<string, Map<string, string>>()
  let count = 0
  for await (const { json } of snapshot.entities(type)) {
    const { attributes } = JSON.parse(json) as Entity
    for (const column of referring) {
      const value = Object.hasOwn(attributes, column.attribute) ? attributes[column.attribute] : undefined
      for (const [of, id] of referencesIn(value, column)) {
        const known = titles.get(of) ?? new Map<string, string>()
        if (!known.has(id)) count++
        titles.set(of, known.set(id, ''))
      }
    }
    if (count > MAX_TITLES) throw new TableTooLarge(`${type} refers to more than ${MAX_TITLES} entities.`)
  }
  for (const [other, known] of titles) {
    for await (const { json } of snapshot.entities(other)) {
      const { id, title } = JSON.parse(json) as Entity
      if (title !== undefined && known.has(id)) known.set(id, title)
    }
  }
  return (value, column) => {
    const found = referencesIn(value, column).map(([of, id]) => titles.get(of)?.get(id) ?? '')
    return found.length > 1 && found.join().includes(SEPARATOR)
      ? JSON.stringify(found)
      : found.join(SEPARATOR)
  }
}

/** Returns the types and ids of the references in a value, or those of its texts if the column has ids. */
function referencesIn(
  value: JsonValue | undefined,
  { idsOf = '' }: TableColumn,
): [type: string, id: string][] {
  return [value ?? []].flat().map((one) => {
    return isObject(one) ? [String(one['type']), String(one['id'])] : [idsOf, String(one)]
  })
}
