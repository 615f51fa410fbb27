import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import {
  definitionFromText,
  definitionSchema,
  exportPieces,
  type Format,
  importRecords,
  listTables,
  loadWorld,
  readDefinition,
  registerFormat,
  resultOf,
  scaffoldDefinition,
  scaffoldTables,
  sourcesFromPath,
} from '@worldwright/publish'
import { formats, formatsOfFile, writtenFormats } from './formats.ts'

/** A test format with `name = value` lines in sections under bracketed headings. */
const cards: Format = {
  name: 'cards',
  title: 'Card index',
  endings: ['cards'],
  options: ['sheet'],
  sniff: (head) => head.startsWith('%cards'),
  async tables({ bytes }) {
    const names = sectionsOf(await textOf(bytes)).map(({ name }) => name)
    return [...new Set(names)].map((name) => ({ name, source: { sheet: name } }))
  },
  async *read({ bytes }, { sheet }) {
    for (const { name, line, record } of sectionsOf(await textOf(bytes)))
      if (sheet === undefined || sheet === name) yield { line, record }
  },
  writer: {
    mediaType: 'text/x-cards',
    async *write(snapshot, { type = '' }) {
      for await (const { id } of snapshot.entities(type)) yield `[${type}]\nid = ${id}\n`
    },
  },
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString()
}

function sectionsOf(text: string) {
  const sections: { name: string; line: number; record: Record<string, string> }[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const [, name] = /^\[(.*)\]$/.exec(line) ?? []
    const [, key, value = ''] = /^(\w+) = (.*)$/.exec(line) ?? []
    if (name !== undefined) sections.push({ name, line: at + 1, record: {} })
    else if (key !== undefined) Object.assign(sections.at(-1)?.record ?? {}, { [key]: value })
  }
  return sections
}

const TEXT = '%cards\n[moon]\nid = io\nname = Io\n[moon]\nid = europa\nname = Europa\n[planet]\nid = mars\n'

test('a registered format is imported, listed, proposed, previewed and written like any other', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'formats-'))
  t.after(() => rm(folder, { recursive: true }))
  const [path, unnamed] = [join(folder, 'sky.cards'), join(folder, 'sky')]
  await writeFile(path, TEXT)
  await writeFile(unnamed, TEXT)
  const wanted = { paths: [folder], folder }
  await assert.rejects(scaffoldTables(wanted), /holds no file of a known format/)
  registerFormat(cards)
  const store = createMemoryStore()
  for (const source of [await sourcesFromPath(folder), await sourcesFromPath(unnamed)].flat()) {
    const { types, rejected } = await resultOf(importRecords(store, [{ source, type: 'sky:body' }]))
    assert.deepEqual([types, rejected], [['sky:body'], 0])
  }
  assert.equal((await store.types()).get('sky:body')?.count, 3)
  assert.deepEqual(
    (await listTables(path, { folder, address: 'sky.cards' })).map(({ name, source }) => [name, source]),
    [
      ['moon', { file: 'sky.cards', sheet: 'moon' }],
      ['planet', { file: 'sky.cards', sheet: 'planet' }],
    ],
  )
  const tables = await scaffoldTables(wanted)
  const { text, trial } = await scaffoldDefinition({
    tables,
    folder,
    called: 'sky',
    store: createMemoryStore(),
  })
  assert.deepEqual([trial?.loaded, trial?.rejected], [3, 0])
  await writeFile(join(folder, 'world.yaml'), text)
  const loaded = createMemoryStore()
  await resultOf(loadWorld({ ...(await readDefinition(folder)), store: loaded }))
  assert.equal((await loaded.get('sky:moon', 'io'))?.id, 'io')
  let written = ''
  for await (const piece of exportPieces(loaded, { format: 'cards', type: 'sky:planet' })) written += piece
  assert.equal(written, '[sky:planet]\nid = mars\n')
  assert.ok(writtenFormats().some(({ name }) => name === 'cards'))
})

test('definitions may use registered formats, the schema lists them, and names are unique', () => {
  const source = (format: string) => `sources: [{ file: a.txt, format: ${format} }]`
  const names = formats().map(({ name }) => name)
  assert.ok(names.length >= 9)
  for (const name of names) assert.ok(definitionFromText(source(name), 'world.yaml'))
  assert.throws(
    () => definitionFromText(source('docx'), 'world.yaml'),
    (error: Error) => error.message.includes(`/sources/0/format must be one of ${names.join(', ')}`),
  )
  const { format } = definitionSchema()['$defs'] as { format: { enum: string[] } }
  assert.deepEqual(format.enum, names)
  assert.throws(() => registerFormat({ ...cards, name: 'csv' }), /There is a format csv already/)
})

test("a file's extension determines its format, with or without .gz", () => {
  const named = (file: string) => formatsOfFile(file).map(({ name }) => name)
  assert.deepEqual(
    ['a.csv', 'a.TAB', 'b/c.md.gz', 'd.yml', 'e.xlsm', 'f.parquet', 'g.geojsonl', 'h.csv.txt', 'csv'].map(
      named,
    ),
    [['csv'], ['tsv'], ['markdown'], ['yaml'], ['xlsx'], ['parquet'], ['ndjson'], [], []],
  )
  assert.deepEqual(named('a.json'), ['json', 'ndjson'])
  assert.deepEqual(named('a.geojson'), ['ndjson', 'geojson'])
})
