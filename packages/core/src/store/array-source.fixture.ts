/** Source over an array of entities, as in the README. */

import type { Entity } from '@worldwright/client/protocol'
import { compareUtf8 } from './compare-utf8.ts'
import type { Source } from './contract.ts'
import { sha256 } from './digest.ts'
import { storedEntity } from './prepared.ts'

/** Creates a source from entities in any order. */
export function arraySource(entities: readonly Entity[]): Source {
  const rows = entities.map((entity) => storedEntity(entity)).sort((a, b) => compareUtf8(a.id, b.id))
  const of = (type: string) => rows.filter((row) => row.type === type)
  const version = sha256(JSON.stringify(rows))
  const types = [...new Set(rows.map((row) => row.type))].sort()
  return {
    get: (type, id) => of(type).find((row) => row.id === id),
    list: (type, { after = '', limit }) => ({
      entities: of(type)
        .filter(({ id }) => compareUtf8(id, after) > 0)
        .slice(0, limit),
      total: of(type).length,
      version,
    }),
    types: () => new Map(types.map((type) => [type, { count: of(type).length, version }])),
    version: () => version,
  }
}
