import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import type { GroupKey, GroupRequest, GroupResult, Measure } from '../port/conditions.ts'
import { type PropertyValue, pathKey } from '../port/document.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { Deadline } from './deadline.ts'
import { groupsOf } from './groups.ts'
import { IndexReader } from './index-reader.ts'
import { slowClock } from './slow-clock.fixture.ts'
import { typeDocumentsOf } from './type-documents.ts'

const DOCUMENTS = 10_000
const number = (name: string, value: number): PropertyValue => ({
  path: pathKey([name]),
  kind: 'number',
  value,
})

const matching = (() => {
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const document = (at: number) => ({
    ...{ type: 't:a', id: `d${at}`, title: '', aliases: [], summary: '', text: '' },
    values: [
      number('n', at / 7),
      ...(at % 3 === 0 ? [] : [number('few', at % 5), number('few', at % 11)]),
      { path: pathKey(['name']), kind: 'text', value: `x${at % 4000}` } as const,
      { path: pathKey('attributes'), kind: 'place', value: { longitude: at % 360 - 180, latitude: at % 180 - 90 } } as const,
    ],
  }) // biome-ignore format: one value a line
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => document(at))
  writer.change([], documents.slice(0, 9_000))
  writer.change([], documents.slice(9_000))
  const reader = new IndexReader(store)
  reader.refresh()
  return typeDocumentsOf(reader.segments, undefined).map((each) => ({ documents: each, set: each.live }))
})()

const measures = (['count', 'distinct', 'sum', 'avg', 'min', 'max', 'median'] as const).map(
  (op) => ({ op, property: ['n'], kind: 'number' }) as Measure,
)
const by = (kind: 'number' | 'text', name: string): GroupKey => ({ by: 'value', property: [name], kind })
const requests: GroupRequest[] = [
  [],
  [by('number', 'few')],
  [by('text', 'name'), by('number', 'few')],
  [by('number', 'n'), by('text', 'name')],
  [{ by: 'cells', property: 'attributes', degrees: 1 } as const, { by: 'width', property: ['n'], width: 0.1, origin: 0 } as const],
].map((keys, at) => ({ keys, measures, sort: [{ by: 'measure', measure: at % 4, descending: true }], limit: 1e6 })) // biome-ignore format: one list of keys a line

/** Fails unless a partial result covers some of the documents that the whole one covers. */
function isPartOf(part: GroupResult, whole: GroupResult): void {
  if (part.partial === undefined) assert.deepEqual(part, whole)
  assert.ok(part.total <= whole.total)
  const known = new Map(whole.groups.map((group) => [JSON.stringify(group.key), group]))
  for (const { key, count, measures: found } of part.groups) {
    const group = known.get(JSON.stringify(key))
    assert.ok(group && count <= group.count, `${key}: ${count} of ${group?.count}`)
    const [values, distinct, , , least, most] = found.map((value) => value ?? undefined)
    const [allValues, allDistinct, , , allLeast, allMost] = group.measures
    assert.ok(Number(values ?? 0) <= Number(allValues) && Number(distinct ?? 0) <= Number(allDistinct))
    assert.ok(Number(least ?? allLeast) >= Number(allLeast) && Number(most ?? allMost) <= Number(allMost))
  }
}

test('groups that run out of time cover the documents that were visited', (t) => {
  const wholes = requests.map((request) => groupsOf(request, matching, new Deadline(60_000)))
  slowClock(t)
  for (const [at, request] of requests.entries()) {
    const whole = wholes[at] as GroupResult
    assert.equal(whole.partial, undefined)
    const covered = [0, 1, 2, 4, 8, 20, 60, 200, 1e9].map((budget) => {
      const part = groupsOf(request, matching, new Deadline(budget))
      isPartOf(part, whole)
      return part.partial ? part.groups.length : -1
    })
    assert.ok(covered[0] !== -1 && covered.at(-1) === -1, `${covered}`)
  }
})

test('groups that run out of memory say so, and cover what fitted', () => {
  for (const request of requests) {
    const whole = groupsOf(request, matching, new Deadline(60_000))
    const covered = [0, 1, 100, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 1e7].map((room) => {
      const part = groupsOf(request, matching, new Deadline(60_000), room)
      isPartOf(part, whole)
      return part.partial ? part.groups.length : -1
    })
    assert.ok(covered[0] !== -1 && covered.at(-1) === -1, `${covered}`)
  }
})
