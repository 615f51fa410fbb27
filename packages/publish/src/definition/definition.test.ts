import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { DefinitionFault, definitionFromText, findDefinition, readDefinition } from './definition.ts'
import { definitionSchema } from './definition-checks.ts'

function problemsOf(text: string): string[] {
  try {
    definitionFromText(text, 'world.yaml')
  } catch (error) {
    if (error instanceof DefinitionFault)
      return error.problems.map(({ line, pointer }) => `${line} ${pointer}`)
    throw error
  }
  return []
}

test('a definition is read from YAML with all its members', () => {
  const text = [
    'id: urn:uuid:6f0c2a3e-0000-4000-8000-000000000000',
    'name: Sol',
    'types:',
    '  - type: sol:moon',
    '    schema: { type: object, x-note: { __proto__: { type: string } } }',
    'sources:',
    '  - moons.ndjson',
    '  - { file: planets.json, type: sol:planet }',
    'port: 3000',
  ].join('\n')
  const { types, ...rest } = definitionFromText(text, 'world.yaml')
  assert.deepEqual(rest, {
    id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000000',
    name: 'Sol',
    sources: [{ file: 'moons.ndjson' }, { file: 'planets.json', type: 'sol:planet' }],
    port: 3000,
  })
  assert.equal(
    JSON.stringify(types),
    '[{"type":"sol:moon","schema":{"type":"object","x-note":{"__proto__":{"type":"string"}}}}]',
  )
})

test('a definition may be JSON, even if it is indented with tabs', () => {
  assert.deepEqual(definitionFromText('{\n\t"name": "Sol",\n\t"types": [\n\t]\n}\n', 'world.json'), {
    name: 'Sol',
    types: [],
    sources: [],
  })
})

test('invalid synonym rules are faults, including phrases with too many synonyms', () => {
  const many = Array.from({ length: 40 }, (_, at) => `word${at}`).join(', ')
  const others = Array.from({ length: 40 }, (_, at) => `other${at}`).join(', ')
  const text = [
    'search:',
    '  synonyms:',
    '    - [film, movie]',
    '    - [alone]',
    '    - { from: [a], too: [b] }',
  ]
  assert.deepEqual(problemsOf(text.slice(0, 3).join('\n')), [])
  assert.deepEqual(problemsOf(text.join('\n')), [
    '4 /search/synonyms/1',
    '5 /search/synonyms/2',
    '5 /search/synonyms/2',
    '5 /search/synonyms/2/too',
  ])
  const unusable = [
    "    - [film, '?!']",
    '    - [one two three four five six seven eight nine, movie]',
    `    - {from: [tv], to: [${many}]}`,
    `    - {from: [TV], to: [${others}]}`,
  ]
  assert.deepEqual(problemsOf(['search:', '  synonyms:', ...unusable].join('\n')), [
    '3 /search/synonyms/0',
    '4 /search/synonyms/1',
    '6 /search/synonyms/3',
  ])
})

test('the fault for "owner" gives the new name, "precedence"', () => {
  const text = 'types:\n  - type: sol:moon\n    owner: last\n'
  assert.throws(() => definitionFromText(text, 'world.yaml'), /owner is now called precedence$/m)
  assert.deepEqual(problemsOf('owner: last\n'), ['1 /owner'])
})

test('every fault is listed with its line and pointer', () => {
  const text = [
    'id: sol',
    'nmae: Sol',
    'types:',
    '  - type: Moon',
    '  - type: sol:moon',
    '    titel: Moon',
    '  - type: sol:moon',
    '  - title: None',
    '  - type: wp:thing',
    'sources:',
    '  - { type: sol:moon }',
    'port: 70000',
  ].join('\n')
  assert.deepEqual(problemsOf(text), [
    '2 /nmae',
    '1 /id',
    '4 /types/0/type',
    '6 /types/1/titel',
    '8 /types/3',
    '9 /types/4/type',
    '11 /sources/0',
    '12 /port',
  ])
  const schema = '{ type: object, properties: { a: { type: strnig } } }'
  const later = ['types:', '  - type: sol:moon', `    schema: ${schema}`, '  - type: sol:moon'].join('\n')
  assert.deepEqual(problemsOf(later), ['4 /types/1/type', '3 /types/0/schema/properties/a/type'])
})

test('options that contradict each other or do not apply to a format are faults with their places', () => {
  const text = [
    'sources:',
    '  - { file: a.csv, header: 2, skip: 1 }',
    '  - { file: a.csv, header: [3, 2] }',
    '  - { file: a.csv, header: top }',
    '  - { file: a.csv, header: [1, 2, 3] }',
    '  - { file: a.csv, except: { year: 2020 } }',
    '  - { file: a.csv, hidden: include }',
    '  - { file: a.xlsx, delimiter: "," }',
    '  - { file: a.json, until: x }',
    '  - { sqlite: a.db, table: t, skip: 1 }',
    '  - { file: data, format: yaml, header: 1 }',
  ]
  const problems = (lines: string[]) => {
    try {
      definitionFromText(lines.join('\n'), 'world.yaml')
    } catch (error) {
      return (error as Error).message.split('\n')
    }
    return []
  }
  assert.deepEqual(
    text.slice(1).flatMap((line) => problems(['sources:', line])),
    [
      'world.yaml:2: /sources/0/skip contradicts header. Remove one of them',
      'world.yaml:2: /sources/0/header names the upper row first, such as [2, 3]',
      'world.yaml:2: /sources/0/header must be the row of the header, such as 2, or both rows of a header over two, such as [2, 3]',
      'world.yaml:2: /sources/0/header must be the row of the header, such as 2, or both rows of a header over two, such as [2, 3]',
      'world.yaml:2: /sources/0/except/year must be a string',
      'world.yaml:2: /sources/0/hidden does not apply to CSV. Remove it',
      'world.yaml:2: /sources/0/delimiter does not apply to Excel. Remove it',
      'world.yaml:2: /sources/0/until does not apply to JSON. Remove it',
      'world.yaml:2: /sources/0/skip is for files',
      'world.yaml:2: /sources/0/header does not apply to YAML. Remove it',
    ],
  )
  const fine = '  - { file: a.csv.gz, header: [2, 3], until: "", except: { a: "" }, delimiter: ";" }'
  assert.deepEqual(problems(['sources:', fine, '  - { file: data, hidden: include, skip: 2 }']), [])
})

test('cell forms are checked, and their faults have pointers', () => {
  const text = [
    'sources:',
    '  - file: a.csv',
    '    cells:',
    '      on: { date: dd.mm }',
    '      price: { thousands: "." }',
    '    attributes:',
    '      at: { column: at, date: dd.mm.yyyy HH:MM }',
    '  - { file: b.csv, id: { row: line } }',
  ].join('\n')
  assert.deepEqual(problemsOf(text.split('\n').slice(0, 7).join('\n')), [
    '4 /sources/0/cells/on/date',
    '5 /sources/0/cells/price/thousands',
    '7 /sources/0/attributes/at/date',
  ])
  assert.deepEqual(problemsOf(text), ['8 /sources/1/id/row'])
})

test('missing texts are strings, so that neither 999 nor an unquoted NULL loses its spelling', () => {
  assert.deepEqual(problemsOf('missing: ["999", "NULL", NA]'), [])
  assert.deepEqual(problemsOf('missing: [NA,\n  999,\n  NULL]'), ['2 /missing/1', '3 /missing/2'])
})

test('faults of webhooks are named at their lines, and no secret stands in a definition', () => {
  const faults = (...members: string[]) => {
    try {
      definitionFromText(['webhooks:', ...members.map((one) => `  - { ${one} }`)].join('\n'), 'world.yaml')
    } catch (error) {
      if (error instanceof DefinitionFault)
        return error.problems.map(({ line, pointer }) => `${line} ${pointer}`)
    }
    return []
  }
  const named = 'secret: $HOOK'
  const good = [
    'https://sol.example/hook?a=b',
    'http://127.0.0.1:8080',
    'http://[::1]/hook',
    'http://localhost:1/',
  ]
  assert.deepEqual(faults(...good.map((url) => `url: "${url}", ${named}`)), [])
  const bad = [
    'http://sol.example',
    'https://me:hush@sol.example',
    'ftp://sol.example',
    'https://sol.example/#a',
  ]
  for (const url of [
    ...bad,
    'http://localhost.sol.example',
    'http://127.0.0.1.sol.example',
    'https://1.2.3.999',
  ])
    assert.deepEqual(faults(`url: "${url}", ${named}`), ['2 /webhooks/0/url'], url)
  const [url] = good
  assert.deepEqual(faults(`url: "${url}", ${named}`, `url: "${url}", ${named}`), ['3 /webhooks/1/url'])
  assert.deepEqual(faults(`url: "${url}", secret: whsec_aHVzaA==`), ['2 /webhooks/0/secret'])
  assert.deepEqual(faults(`url: "${url}"`), ['2 /webhooks/0'])
  assert.deepEqual(faults(`url: "${url}", ${named}, types: [moon]`), ['2 /webhooks/0/types/0'])
})

test('a repeated key, an unknown tag and a second document are faults with their lines', () => {
  assert.deepEqual(problemsOf('name: a\nname: b\n'), ['2 '])
  assert.deepEqual(problemsOf('{"name":"a",\n"name":"b"}'), ['2 '])
  assert.deepEqual(problemsOf('name: a\ndescription: !date x\n'), ['2 '])
  assert.deepEqual(problemsOf('name: a\n---\nname: b\n'), ['2 '])
  assert.deepEqual(problemsOf('- a list\n'), ['1 '])
  assert.deepEqual(problemsOf('name: *nobody\n'), ['1 '])
})

test('ids that are not absolute URIs are refused', () => {
  for (const id of ['sol', '/sol', 'https://sol.example/#a', 'urn:x y', '7', 'http:', 'urn:%zz']) {
    assert.deepEqual(problemsOf(`id: "${id}"`), ['1 /id'], id)
  }
})

test('a definition is found in its folder, which may contain only one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  assert.equal(await findDefinition(folder), undefined)
  await assert.rejects(readDefinition(folder), { name: 'DefinitionFault' })
  await writeFile(join(folder, 'world.yml'), 'name: Sol\n')
  const { definition, file } = await readDefinition(folder)
  assert.deepEqual([definition.name, file], ['Sol', join(folder, 'world.yml')])
  await writeFile(join(folder, 'world.json'), '{}')
  await assert.rejects(readDefinition(folder), { name: 'DefinitionFault' })
  await assert.rejects(readDefinition(join(folder, 'none')), { name: 'DefinitionFault' })
})

test('the published schema of definitions is a valid JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false })
  assert.ok(ajv.validateSchema(definitionSchema()), ajv.errorsText())
})

test('faults of a join are named at their lines', () => {
  const text = [
    'sources:',
    '  - file: loans.csv',
    '    join:',
    '      - file: books.csv',
    '        where: {book: isbn}',
    '        columns: [title, book, title]',
    '        sheet: Books',
    '      - file: readers.csv',
    '        where: {reader: nr}',
    '        columns:',
    '          name: name',
    '          title: rank',
    '        encoding: none',
    '  - file: others.csv',
    '    join:',
    '      - {file: books.csv, where: {}, columns: [], on: x}',
    '      - {file: books.csv}',
    '  - {file: more.csv, join: {file: books.csv, where: {book: isbn}, columns: [title]}}',
  ]
  assert.deepEqual(problemsOf(text.slice(0, 13).join('\n')), [
    '7 /sources/0/join/0/sheet',
    '6 /sources/0/join/0/columns/1',
    '6 /sources/0/join/0/columns/2',
    '13 /sources/0/join/1/encoding',
    '12 /sources/0/join/1/columns/title',
  ])
  assert.deepEqual(problemsOf(['sources:', ...text.slice(13)].join('\n')), [
    '4 /sources/0/join/0/on',
    '4 /sources/0/join/0/where',
    '4 /sources/0/join/0/columns',
    '5 /sources/0/join/1',
    '5 /sources/0/join/1',
    '6 /sources/1/join',
  ])
})
