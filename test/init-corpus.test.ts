import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { ndjsonExport } from '@worldwright/entities'
import { withTypeInference } from '@worldwright/entities/types'
import { loadWorld, readDefinition, resultOf, type Source } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { type Publication, TABLE_PUBLICATIONS } from './init-corpus.ts'
import { FILE_PUBLICATIONS, REFUSALS } from './init-corpus-files.ts'
import { LEFT_OUT_PUBLICATIONS } from './init-corpus-left-out.ts'
import { RECORD_PUBLICATIONS } from './init-corpus-records.ts'

interface Served {
  readonly type: string
  readonly id: string
  readonly title?: string
  readonly summary?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

const PUBLICATIONS = [
  ...TABLE_PUBLICATIONS,
  ...RECORD_PUBLICATIONS,
  ...FILE_PUBLICATIONS,
  ...LEFT_OUT_PUBLICATIONS,
]

for (const publication of PUBLICATIONS) {
  test(`two commands publish the data: ${publication.what}`, async (t) => {
    const cwd = await mkdtemp(join(tmpdir(), 'world-'))
    t.after(() => rm(cwd, { recursive: true }))
    for (const [name, content] of Object.entries(publication.files)) await writeFile(join(cwd, name), content)
    const ran = await runWith(['init', ...(publication.init ?? Object.keys(publication.files))], { cwd })
    assert.equal(ran.code, 0, ran.err)
    assert.match(ran.err, /can be loaded, none is rejected/)
    for (const said of publication.says ?? []) assert.match(ran.err, said)
    const { entities, sources } = await served(cwd)
    for (const [type, holds] of Object.entries(publication.holds)) {
      const ours = entities.filter((one) => type === one.type || type === `${one.type.split(':')[0]}:*`)
      const source = sources.find((one) => one.type === ours[0]?.type) ?? sources[0]
      const found = ours.map((one) => recordOf(one, source as Source, holds))
      assert.deepEqual(sorted(found), sorted(holds.map(withoutEmpty)), ran.err)
    }
    checkServed(publication, entities)
  })
}

for (const { what, files, says } of REFUSALS) {
  test(`init refuses the file in one sentence: ${what}`, async (t) => {
    const cwd = await mkdtemp(join(tmpdir(), 'world-'))
    t.after(() => rm(cwd, { recursive: true }))
    for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content)
    const { code, err } = await runWith(['init', ...Object.keys(files)], { cwd })
    assert.equal(code, 1, err)
    assert.match(err, says)
    assert.equal(err.trim().split('\n').length, 1, err)
  })
}

/** Loads a folder as `serve` does. Returns everything that the world then serves. */
async function served(cwd: string) {
  const world = await readDefinition(cwd)
  const store = withTypeInference(createMemoryStore())
  await resultOf(loadWorld({ ...world, store }))
  const { definition } = world
  const handler = createWorld({
    ...definition,
    id: 'urn:x',
    types: () => effectiveTypes(definition, store),
    store,
  })
  const request = {
    method: 'GET',
    target: '/.well-known/world.json',
    headers: {},
    origin: 'http://127.0.0.1',
  }
  assert.equal((await handler.handle(request)).status, 200)
  let text = ''
  for await (const piece of ndjsonExport(store)) text += piece
  const lines = text.split('\n').filter(Boolean)
  return { entities: lines.map((line): Served => JSON.parse(line)), sources: definition.sources }
}

function checkServed({ serves = {} }: Publication, entities: readonly Served[]): void {
  for (const [name, attributes] of Object.entries(serves)) {
    const entity = entities.find(({ type, id }) => `${type}/${id}` === name)
    for (const [attribute, value] of Object.entries(attributes))
      assert.deepEqual(entity?.attributes[attribute], value, `${name} ${attribute}`)
  }
}

/** Reconstructs the record of an entity. Reads each column from the member to which the definition maps the column. */
function recordOf(entity: Served, source: Source, holds: Publication['holds'][string]) {
  const { id, title, summary, references = {}, cells = {} } = source
  const isTable = holds.every((one) => Object.values(one).every((value) => typeof value === 'string'))
  const [like = {}] = holds as readonly Readonly<Record<string, unknown>>[]
  const columns = new Map<string, unknown>()
  for (const [name, value] of Object.entries(entity.attributes)) {
    const referred = references[name]
    if (referred) columns.set(referred.column, alike(like[referred.column], (value as { id: string }).id))
    else columns.set(name, isTable ? written(value, cells[name] ?? {}) : value)
  }
  const named = { id: id ?? 'id', title: title ?? 'title', summary: summary ?? 'summary' }
  if (typeof named.id === 'string' && !columns.has(named.id))
    columns.set(named.id, alike(like[named.id], entity.id))
  if (entity.title !== undefined && !columns.has(named.title)) columns.set(named.title, entity.title)
  if (entity.summary !== undefined) columns.set(named.summary, entity.summary)
  return withoutEmpty(Object.fromEntries(columns))
}

/** Returns `id` as a number if `given`, the same column of another record, is a number. */
function alike(given: unknown, id: string): string | number {
  return typeof given === 'number' ? Number(id) : id
}

/** Formats a value as it is written in its cell, according to `form`, which the definition gives. */
function written(value: unknown, form: NonNullable<Source['cells']>[string]): unknown {
  if (Array.isArray(value)) return value.join(form.separator)
  if (typeof value === 'boolean')
    return Object.entries(form.words ?? {}).find(([, truth]) => truth === value)?.[0] ?? String(value)
  if (form.date !== undefined) {
    const [yyyy = '', mm = '', dd = ''] = String(value).split('-')
    return form.date.replace('yyyy', yyyy).replace('mm', mm).replace('dd', dd)
  }
  if (typeof value !== 'number') return value
  const options = {
    minimumFractionDigits: form.decimals ?? 0,
    maximumFractionDigits: 17,
    useGrouping: form.thousands !== undefined,
  }
  const signs = { ',': form.thousands ?? '', '.': form.decimal ?? '.' }
  const digits = Math.abs(value)
    .toLocaleString('en-US', options)
    .replace(/[.,]/g, (sign) => signs[sign as '.' | ','])
  return `${value < 0 ? '-' : ''}${form.prefix ?? ''}${digits}${form.suffix ?? ''}`
}

/** Removes empty cells, which are dropped from a table, and nulls, which mean the same as no title or summary. */
function withoutEmpty(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '' && value !== null))
}

function sorted(records: readonly Record<string, unknown>[]): string[] {
  return records
    .map((one) => JSON.stringify(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
}
