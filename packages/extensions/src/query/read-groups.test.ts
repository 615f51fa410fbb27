import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { GroupRequest } from '../../../core/src/store/query/groups.ts'
import { WorldFault } from '../../../core/src/world/errors.ts'
import { readQuestion } from './read-input.ts'

const REFERENCE = { type: 'object', properties: { type: { const: 'my:author' }, id: { type: 'string' } } }
const DATE = { type: 'string', format: 'date' }
const NUMBER = { type: 'number' }
const PLACE = { type: 'object', properties: { latitude: NUMBER, longitude: NUMBER } }
const LANGUAGES = { type: 'array', items: { type: 'string' } }
const BOOK = {
  year: NUMBER,
  rating: NUMBER,
  languages: LANGUAGES,
  author: REFERENCE,
  bought: DATE,
  read: { type: 'string', format: 'date-time' },
  place: PLACE,
  shelf: NUMBER,
  'a.b': NUMBER,
}
const TYPES = [
  { type: 'my:book', schema: { properties: BOOK } },
  { type: 'my:note', schema: { properties: { shelf: { type: 'string' } } } },
]

function groupOf(input: JsonObject): GroupRequest | undefined {
  return readQuestion(input, TYPES).group
}

/** Returns the faults as lines: the pointer without `/input`, and the message. */
function faultsOf(input: JsonObject): string[] {
  try {
    groupOf(input)
  } catch (error) {
    assert.ok(error instanceof WorldFault)
    const fields = error.details['fields'] as unknown as { pointer: string; message: string }[]
    return fields.map(({ pointer, message }) => `${pointer.slice('/input'.length)}: ${message}`)
  }
  return []
}

const key = (group: JsonValue) => groupOf({ group: [group] })?.keys[0]

test('a key is a property, bins of a width, units of time or cells, with the kind of its values', () => {
  assert.deepEqual(key('languages'), { by: 'value', property: ['languages'], kind: 'text' })
  assert.deepEqual(key({ property: 'author' }), { by: 'value', property: ['author'], kind: 'reference' })
  assert.deepEqual(key({ property: 'shelf', kind: 'text' }), {
    by: 'value',
    property: ['shelf'],
    kind: 'text',
  })
  const bins = { by: 'width', property: ['year'], kind: 'number' }
  assert.deepEqual(key({ property: 'year', width: 10 }), { ...bins, width: 10, origin: 0 })
  assert.deepEqual(key({ property: 'year', width: 0.5, origin: -3 }), { ...bins, width: 0.5, origin: -3 })
  const units = { by: 'unit', property: ['bought'], kind: 'text', unit: 'month' }
  assert.deepEqual(key({ property: 'bought', unit: 'month' }), units)
  const hours = { by: 'unit', property: 'createdAt', kind: 'instant', unit: 'hour' }
  assert.deepEqual(key({ property: 'createdAt', unit: 'hour' }), hours)
  const texts = { by: 'unit', property: 'title', kind: 'text', unit: 'year' }
  assert.deepEqual(key({ property: 'title', unit: 'year', kind: 'text' }), texts)
  const cells = { by: 'cells', property: ['place'], kind: 'place', degrees: 2.5 }
  assert.deepEqual(key({ property: 'place', cells: 2.5 }), cells)
})

test('measures and the order of groups are read; by default the largest 100 groups come first', () => {
  const measures = [
    { op: 'avg', property: 'rating' },
    { op: 'min', property: 'read' },
    { op: 'max', property: ['a.b'] },
  ]
  const read = groupOf({
    measures,
    groupSort: ['-avg:rating', 'max:["a.b"]', 'key', '-count'],
    groupLimit: 7,
  })
  assert.deepEqual(read, {
    keys: [],
    measures: [
      { op: 'avg', property: ['rating'], kind: 'number' },
      { op: 'min', property: ['read'], kind: 'instant' },
      { op: 'max', property: ['a.b'], kind: 'number' },
    ],
    sort: [
      { by: 'measure', measure: 0, descending: true },
      { by: 'measure', measure: 2, descending: false },
      { by: 'key', descending: false },
      { by: 'count', descending: true },
    ],
    limit: 7,
  })
  const { sort, limit } = groupOf({ group: ['year'], measures: null, groupSort: null }) ?? {}
  assert.deepEqual([sort, limit], [[{ by: 'count', descending: true }], 100])
  assert.equal(groupOf({ group: [], measures: [] }), undefined)
})

test('every fault of groups has a pointer and a message with a form that works', () => {
  const form =
    'a key is "year", { property, width: 10 }, { property, unit: "month" } or { property, cells: 5 }'
  const op =
    'a measure is { op: "avg", property: "rating" }; op is count, distinct, sum, avg, min, max, median'
  const cases: [JsonObject, string[]][] = [
    [{ group: 'year' }, [`/group: group is a list, in which ${form}`]],
    [{ group: ['year', 'rating', 'author'] }, ['/group: this list has 2 entries at most']],
    [{ group: [7] }, [`/group/0: ${form}`]],
    [
      { group: ['yaer'] },
      ['/group/0: yaer is not a queryable property here; details.properties lists those that are'],
    ],
    [
      { group: ['place'] },
      [
        '/group/0: place holds places, which s_intersects and distance ask for; this needs the kind number or boolean or text or instant or reference',
      ],
    ],
    [{ group: ['shelf'] }, ['/group/0: shelf is a number here and a text there: name one type, or a kind']],
    [
      { group: [{ property: 'year', width: 0 }] },
      ['/group/0/width: width is a number greater than 0, such as 10'],
    ],
    [
      { group: [{ property: 'year', width: '10' }] },
      ['/group/0/width: width is a number greater than 0, such as 10'],
    ],
    [
      { group: [{ property: 'year', width: Number.POSITIVE_INFINITY }] },
      ['/group/0/width: width is a number greater than 0, such as 10'],
    ],
    [
      { group: [{ property: 'year', width: 1, origin: '0' }] },
      ['/group/0/origin: origin is a number, an edge of a bin, such as 0'],
    ],
    [{ group: [{ property: 'year', origin: 5 }] }, ['/group/0/origin: there is no such member']],
    [{ group: [{ property: 'year', width: 10, unit: 'year' }] }, ['/group/0/unit: there is no such member']],
    [
      { group: [{ property: 'languages', width: 10 }] },
      ['/group/0/property: languages holds texts; this needs the kind number'],
    ],
    [
      { group: [{ property: 'read', unit: 'decade' }] },
      ['/group/0/unit: unit is one of year, quarter, month, week, day, hour'],
    ],
    [
      { group: [{ property: 'year', unit: 'year' }] },
      ['/group/0/property: year holds numbers; this needs the kind instant'],
    ],
    [
      { group: [{ property: 'title', unit: 'year' }] },
      ['/group/0/property: title holds texts that need not be dates; kind: "text" groups those that are'],
    ],
    [
      { group: [{ property: 'place', cells: 91 }] },
      ['/group/0/cells: cells is a number of degrees greater than 0, 90 at most'],
    ],
    [
      { group: [{ property: 'year', cells: 5 }] },
      ['/group/0/property: year holds numbers; this needs the kind place'],
    ],
    [{ measures: {} }, [`/measures: measures is a list, in which ${op}`]],
    [{ measures: ['avg:rating'] }, [`/measures/0: ${op}`]],
    [{ measures: [{ op: 'mean', property: 'rating' }] }, [`/measures/0/op: ${op}`]],
    [
      { measures: [{ op: 'sum', property: 'title' }] },
      ['/measures/0/property: title holds texts; this needs the kind number'],
    ],
    [
      { measures: [{ op: 'min', property: 'author' }] },
      [
        '/measures/0/property: author holds references { type, id }; this needs the kind number or text or instant',
      ],
    ],
    [
      { measures: Array(9).fill({ op: 'avg', property: 'rating' }) },
      ['/measures: this list has 8 entries at most'],
    ],
    [
      { group: ['year'], groupSort: ['-avg:rating'] },
      [
        '/groupSort/0: groups are ordered by count, key, each with an optional minus; add other measures to measures first',
      ],
    ],
    [
      { measures: [{ op: 'avg', property: 'rating' }], groupSort: ['rating'] },
      [
        '/groupSort/0: groups are ordered by count, key, avg:rating, each with an optional minus; add other measures to measures first',
      ],
    ],
    [{ group: ['year'], groupLimit: 1001 }, ['/groupLimit: groupLimit is a whole number from 1 to 1000']],
    [
      { groupSort: ['key'], groupLimit: 5 },
      [
        '/groupSort: groupSort needs groups: give group or measures',
        '/groupLimit: groupLimit needs groups: give group or measures',
      ],
    ],
  ]
  for (const [input, faults] of cases) assert.deepEqual(faultsOf(input), faults, JSON.stringify(input))
})
