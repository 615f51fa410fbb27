import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '@worldwright/core/store'
import { createMemoryStore, namedValue, positionNow } from '@worldwright/core/store'
import { type ImportProgress, type ImportWarning, type Rejection, resultOf } from './events.ts'
import { importRecords as importEvents } from './import-records.ts'
import type { ImportOptions, ImportSource } from './options.ts'

function source(lines: readonly (object | string)[], type?: string): ImportSource {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const bytes = Buffer.from(text)
  const chunks = async function* () {
    yield bytes
  }
  return { source: { name: 'test.ndjson', size: bytes.length, bytes: chunks() }, type }
}

/** Callbacks through which a test receives import events. */
interface Heard {
  onReject?: (rejection: Rejection) => void
  onWarning?: (warning: ImportWarning) => void
  onProgress?: (progress: ImportProgress) => void
}

async function importRecords(
  store: Store,
  sources: ImportSource[],
  { onReject, onWarning, onProgress, ...options }: ImportOptions & Heard = {},
) {
  return resultOf(importEvents(store, sources, options), (event) => {
    if (event.event === 'rejected') for (const rejection of event.rejections) onReject?.(rejection)
    if (event.event === 'warned') for (const warning of event.warnings) onWarning?.(warning)
    if (event.event !== 'progress') return
    const { event: _, ...progress } = event
    onProgress?.(progress)
  })
}

const EUROPA = { type: 'sol:moon', id: 'europa', name: 'Europa' }
const IO = { type: 'sol:moon', id: 'io', name: 'Io' }

test('good records are loaded, and bad ones are counted and reported', async () => {
  const store = createMemoryStore()
  const told: number[] = []
  const bad = Array.from({ length: 25 }, () => '{')
  const onReject: Heard['onReject'] = ({ line }) => told.push(line)
  const result = await importRecords(store, [source([EUROPA, ...bad, IO])], { onReject })
  const { rejections, references, position, ...numbers } = result
  assert.equal(position, await positionNow(store))
  assert.deepEqual(references, { dangling: [], count: 0, incomplete: false })
  assert.deepEqual(numbers, {
    created: 2,
    changed: 0,
    unchanged: 0,
    deleted: 0,
    rejected: 25,
    kept: [],
    shadowed: 0,
    warned: 0,
    columns: [],
    notes: [],
    types: ['sol:moon'],
  })
  assert.equal(rejections.length, 20)
  assert.deepEqual([told.length, told[0], told[24]], [25, 2, 26])
  assert.equal(JSON.parse((await store.get('sol:moon', 'io'))?.json ?? '').title, 'Io')
})

test('loading the same records again changes nothing', async () => {
  const store = createMemoryStore()
  await importRecords(store, [source([EUROPA, IO])])
  const { created, changed, unchanged } = await importRecords(store, [
    source([EUROPA, { ...IO, name: 'Io!' }]),
  ])
  assert.deepEqual({ created, changed, unchanged }, { created: 0, changed: 1, unchanged: 1 })
})

test('replacing deletes missing entities of the types in the sources, but not of other types', async () => {
  const store = createMemoryStore()
  await importRecords(store, [source([EUROPA, IO, { type: 'sol:planet', id: 'mars' }])])
  const { deleted } = await importRecords(store, [source([EUROPA])], { replace: true })
  assert.equal(deleted, 1)
  assert.equal(await store.get('sol:moon', 'io'), undefined)
  assert.ok(await store.get('sol:planet', 'mars'))
})

test('replacing deletes nothing for a source without good records', async () => {
  const store = createMemoryStore()
  await importRecords(store, [source([EUROPA])])
  for (const lines of [['{'], [], ['']]) {
    const { kept, deleted } = await importRecords(store, [source(lines, 'sol:moon')], { replace: true })
    const why = lines[0] === '{' ? 'unreadable' : 'empty'
    assert.deepEqual([kept, deleted], [[{ type: 'sol:moon', count: 1, why }], 0])
  }
  const empty = { ...source(['[]'], 'sol:moon'), format: 'json' as const }
  assert.equal((await importRecords(store, [empty], { replace: true })).deleted, 0)
  assert.ok(await store.get('sol:moon', 'europa'))
})

test('a rejected record protects only the entities that it may represent', async () => {
  const MARS = { type: 'sol:planet', id: 'mars' }
  const after = async (sources: ImportSource[], types: ImportOptions['types'] = []) => {
    const store = createMemoryStore()
    await importRecords(store, [source([EUROPA, IO, { ...IO, id: 'thebe' }, MARS, { ...MARS, id: 'venus' }])])
    const { kept } = await importRecords(store, sources, { replace: true, types })
    const left = await Promise.all(
      ['sol:moon', 'sol:planet'].map(async (type) =>
        (await store.list(type, { limit: 9 })).entities.map(({ id }) => id).join(' '),
      ),
    )
    return [...left, ...kept.map(({ type, count, why }) => `${type} ${count} ${why}`)]
  }
  const moons = { type: 'sol:moon', schema: { required: ['radius'] } }
  const one = ['europa io', 'mars', 'sol:moon 1 rejected']
  // The id is readable, so the record represents that entity despite its faults.
  assert.deepEqual(await after([source([{ ...EUROPA, radius: 1 }, IO, MARS])], [moons]), one)
  assert.deepEqual(await after([source([EUROPA, { ...IO, title: { a: '\0' } }, MARS])]), one)
  assert.deepEqual(await after([source([EUROPA, { ...IO, type: 'moon' }, MARS])]), one)
  // A repeated id represents the loaded entity.
  assert.deepEqual(await after([source([EUROPA, EUROPA, MARS])]), ['europa', 'mars'])
  // The id is unknown, but the type is given or readable.
  const all = ['europa io thebe', 'mars', 'sol:moon 2 unreadable']
  assert.deepEqual(await after([source([EUROPA, { id: 7.5 }], 'sol:moon'), source([MARS])]), all)
  assert.deepEqual(await after([source([EUROPA, '{'], 'sol:moon'), source([MARS])]), all)
  assert.deepEqual(await after([source([EUROPA, { ...IO, id: 7.5 }, MARS])]), all)
  // Not even the type is known.
  assert.deepEqual(await after([source([EUROPA, '{', MARS])]), [
    'europa io thebe',
    'mars venus',
    'sol:moon 2 unreadable',
    'sol:planet 1 unreadable',
  ])
})

test('a rejected record is reported with its content, and a duplicate names the first record', async () => {
  const told: Rejection[] = []
  const first = { ...source(['', EUROPA]), source: { ...source(['', EUROPA]).source, name: 'first.ndjson' } }
  const second = source([{ ...EUROPA, name: 'again' }, '{"id": ', { ...IO, id: '' }])
  await importRecords(createMemoryStore(), [first, second], {
    onReject: (rejection) => told.push(rejection),
  })
  assert.deepEqual(
    told.map(({ line, record, text, entity }) => ({ line, record, text, entity })),
    [
      { line: 2, record: undefined, text: '{"id": ', entity: undefined },
      { line: 3, record: { ...IO, id: '' }, text: undefined, entity: undefined },
      {
        line: 1,
        record: undefined,
        text: undefined,
        entity: { type: 'sol:moon', id: 'europa', title: 'again', attributes: {} },
      },
    ],
  )
  assert.match(
    told[2]?.faults[0]?.message ?? '',
    /^an earlier record \(first\.ndjson:2\) is the sol:moon "europa"$/,
  )
})

test('the first of two records with the same type and id is loaded, and the other is reported', async () => {
  const store = createMemoryStore()
  const told: string[] = []
  const { created, rejected } = await importRecords(
    store,
    [source([EUROPA, IO]), source([IO, { ...EUROPA, name: 'E' }])],
    {
      onReject: ({ line, faults }) =>
        told.push(`${line} ${faults.map(({ pointer, reason }) => `${pointer} ${reason}`)}`),
    },
  )
  assert.deepEqual({ created, rejected }, { created: 2, rejected: 2 })
  assert.deepEqual(told, ['1 /id repeated', '2 /id repeated'])
  assert.equal(JSON.parse((await store.get('sol:moon', 'europa'))?.json ?? '').title, 'Europa')
})

test('metadata and derived values are committed atomically with the entities', async () => {
  const store = createMemoryStore()
  const metadata: ImportOptions['metadata'] = ({ rejected, replaced }) => ({
    loaded: `${rejected} ${replaced}`,
  })
  await importRecords(store, [source([EUROPA, '{'])], { metadata })
  assert.equal((await namedValue(store, 'loaded'))?.value, '1 ')
  const before = await namedValue(store, 'types')
  const failing: ImportOptions['metadata'] = () => {
    throw new Error('no')
  }
  await assert.rejects(importRecords(store, [source([{ ...IO, radius: 1 }])], { metadata: failing }), /no/)
  assert.equal(await namedValue(store, 'types'), before)
  assert.equal(await store.get('sol:moon', 'io'), undefined)
})

test('if a source fails, nothing is loaded', async () => {
  const store = createMemoryStore()
  const breaking = async function* () {
    yield Buffer.from(`${JSON.stringify(EUROPA)}\n`)
    throw new Error('disk on fire')
  }
  const failing = importRecords(store, [source([IO]), { source: { name: 'b', bytes: breaking() } }])
  await assert.rejects(failing, { name: 'SourceFault', message: 'b: disk on fire.' })
  assert.equal(await store.get('sol:moon', 'io'), undefined)
})

test('an aborted import loads nothing', async () => {
  const store = createMemoryStore()
  await assert.rejects(importRecords(store, [source([IO])], { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
  assert.equal(await store.get('sol:moon', 'io'), undefined)
})

test('progress covers all bytes and records before the good records are committed', async () => {
  const seen: ImportProgress[] = []
  const one = source([EUROPA, '{', IO])
  await importRecords(createMemoryStore(), [one], { onProgress: (progress) => seen.push(progress) })
  const { size } = one.source
  const all = { bytes: size, totalBytes: size, records: 3, entities: 2 }
  assert.deepEqual(seen.slice(-2), [
    { ...all, phase: 'reading' },
    { ...all, phase: 'placing' },
  ])
})

test('a nonportable id is loaded and reported', async () => {
  const lines: number[] = []
  const spaced = { ...IO, id: 'i o' }
  await importRecords(createMemoryStore(), [source([EUROPA, spaced])], {
    onWarning: ({ line }) => lines.push(line),
  })
  assert.deepEqual(lines, [2])
})

test('large records are split into small batches', async () => {
  const store = createMemoryStore()
  const sizes: number[] = []
  const watched = {
    ...store,
    async bulk() {
      const load = await store.bulk()
      const add: typeof load.add = (entities) => {
        sizes.push(entities.length)
        return load.add(entities)
      }
      return { ...load, add }
    },
  }
  const lines = Array.from({ length: 60 }, (_, at) => ({ ...IO, id: `m${at}`, text: 'x'.repeat(200_000) }))
  assert.equal((await importRecords(watched, [source(lines)])).created, 60)
  assert.deepEqual(sizes, [21, 21, 18])
})

test('a mapped column that no record has is reported once for all files of a source', async () => {
  const mapping = { id: 'id', attributes: { a: 'here', b: 'nowhere', c: 'there' } }
  const of = (name: string, record: object, how: object): ImportSource => {
    const one = source([record], 'sol:moon')
    return { ...one, source: { ...one.source, name }, mapping: how }
  }
  const told: string[] = []
  const sources = [
    of('a.ndjson', { id: 'io', here: 1 }, mapping),
    of('b.ndjson', { id: 'europa', there: 1 }, mapping),
    of('c.ndjson', { id: 'thebe' }, { id: 'id', title: 'name' }),
  ]
  await importRecords(createMemoryStore(), sources, { onWarning: ({ message }) => told.push(message) })
  assert.deepEqual(told, [
    'a.ndjson and 1 more: the definition names "nowhere", and no record has it',
    'c.ndjson: the definition names "name", and no record has it',
  ])
})
