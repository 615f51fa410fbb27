/** The most expensive queries for groups, and the entities that make them so. */
import type { Entity, JsonObject, JsonValue } from '@worldwright/client/protocol'

const WORK = 'chaos:work'
const MAKER = 'chaos:maker'
const NUMBER = { type: 'number' }
const TEXT = { type: 'string' }
const TIME = { type: 'string', format: 'date-time' }

/** Definition of the world: works that refer to makers by a reference and by an id. */
export const DEFINITION: JsonObject = {
  id: 'urn:example:worst',
  types: [
    {
      type: WORK,
      references: { makerId: MAKER },
      schema: {
        properties: {
          ...{ code: TEXT, wide: TEXT, number: NUMBER, hard: NUMBER, at: TIME, makerId: TEXT },
          tags: { type: 'array', items: TEXT },
          place: { type: 'object', properties: { latitude: NUMBER, longitude: NUMBER } },
          maker: { type: 'object', properties: { type: { const: MAKER }, id: TEXT } },
        },
      },
    },
    { type: MAKER, schema: { properties: { name: TEXT, nation: TEXT, size: NUMBER, seen: TIME } } },
  ],
}

/** Returns a pseudo-random number below `limit`, determined by the other arguments. */
function mixed(at: number, salt: number, limit: number): number {
  let hash = Math.imul(at ^ (salt * 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % limit
}

const HARD = [1e300, -1e300, 5e-324, 0.1, 2 ** 53, -1e-300]

/** Returns one of `size` entities by its index. A quarter of them are makers. */
export function worstEntity(at: number, size: number): Entity {
  const makers = Math.floor(size / 4)
  const time = new Date(Date.UTC(1_900, 0, 1) + mixed(at, 1, 2 ** 31) * 1_800).toISOString()
  if (at < makers) {
    const name = `maker ${'x'.repeat(mixed(at, 2, 60))} ${at.toString(36)}`
    const attributes = { name, nation: `n${mixed(at, 3, 300)}`, size: mixed(at, 4, 2 ** 31) / 7, seen: time }
    return { type: MAKER, id: `m${at}`, title: `Ocean ${at % 100}`, attributes }
  }
  const maker = `m${mixed(at, 5, makers)}`
  return {
    type: WORK,
    id: `w${at}`,
    title: `Storm ${at % 1_000}`,
    attributes: {
      code: `c${mixed(at, 6, makers)}`,
      wide: `${at.toString(36)} ${'wide '.repeat(20)}`,
      number: mixed(at, 7, 2 ** 31) / 3,
      hard: HARD[mixed(at, 8, HARD.length)] as number,
      at: time,
      tags: [9, 10, 11, 12].map((salt) => `t${mixed(at, salt, 50_000)}`),
      place: {
        latitude: mixed(at, 13, 1_800_000) / 1e4 - 90,
        longitude: mixed(at, 14, 3_600_000) / 1e4 - 180,
      },
      maker: { type: MAKER, id: maker },
      makerId: maker,
    },
  }
}

const eight = (op: string, ...properties: string[]) =>
  Array.from({ length: 8 }, (_, at) => ({ op, property: properties[at % properties.length] as string }))
const cells = { property: 'place', cells: 0.001 }
const hours = { property: 'at', unit: 'hour' }

/** Returns a condition with 32 comparisons and the maximum depth. */
function deep(property: string): JsonObject {
  const comparison = (at: number) => ({ op: '<>', args: [{ property }, `c${at * 31}`] })
  let condition: JsonObject = { op: 'or', args: Array.from({ length: 8 }, (_, at) => comparison(at)) }
  for (let level = 1; level < 7; level++) {
    const four = Array.from({ length: 4 }, (_, at) => comparison(level * 4 + 4 + at))
    condition = { op: level % 2 ? 'and' : 'or', args: [condition, ...four] }
  }
  return condition
}

/** Returns a query over works for these groups. */
function about(group: JsonValue[], measures: JsonValue[] = [], more: JsonObject = {}): JsonObject {
  return {
    types: [WORK],
    ...(group.length > 0 && { group }),
    ...(measures.length > 0 && { measures }),
    ...more,
  }
}

/** Inputs of `worldwright:query` that cost as much as possible; 32 of them. */
export const WORST: readonly JsonObject[] = [
  about(['code']),
  about(['wide']),
  about(['number']),
  about(['at']),
  about(['maker']),
  about(['tags'], [], { groupSort: ['-key'] }),
  about(['code', 'wide']),
  about(['number', 'at']),
  about(['tags', 'tags']),
  about(['tags', 'code']),
  about(['maker', 'makerId'], [], { groupSort: ['key'] }),
  about([cells]),
  about([cells, 'code']),
  about([cells], eight('distinct', 'wide', 'code')),
  about([hours, 'code']),
  about([{ property: 'number', width: 1e-9 }], eight('avg', 'hard')),
  about([], eight('distinct', 'wide', 'at', 'number', 'tags')),
  about(['code'], eight('distinct', 'wide', 'tags'), { groupSort: ['-distinct:tags'] }),
  about(['code'], eight('median', 'number', 'hard'), { groupSort: ['-median:number', 'median:hard'] }),
  about(['code'], eight('sum', 'hard', 'number'), { groupSort: ['-sum:hard', 'sum:number'] }),
  about(['wide'], eight('min', 'wide', 'code'), { groupSort: ['-min:wide'], groupLimit: 1_000 }),
  about(['maker.name']),
  about(['makerId.name'], eight('max', 'makerId.name'), { groupSort: ['-max:makerId.name'] }),
  about(['maker.name', 'code']),
  about([{ property: 'maker.size', width: 0.001 }], eight('distinct', 'maker.name', 'makerId.seen')),
  about([{ property: 'makerId.seen', unit: 'hour' }, 'maker.nation'], eight('median', 'maker.size')),
  about(['code'], [], { where: { op: '=', args: [{ property: 'maker.nation' }, 'n7'] } }),
  about(['maker.nation'], eight('sum', 'hard'), { where: deep('code') }),
  about(['code'], eight('distinct', 'maker.name'), { where: deep('maker.nation') }),
  about(['wide', 'tags'], eight('median', 'hard'), {
    where: deep('makerId.name'),
    groupSort: ['-median:hard'],
  }),
  about(['code', cells], eight('distinct', 'tags'), { text: 'storm' }),
  {
    group: ['at', 'seen'],
    measures: eight('count', 'wide', 'name'),
    groupSort: ['count:wide'],
    groupLimit: 1_000,
  },
]
