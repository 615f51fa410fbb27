import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { definitionSchema } from '@worldwright/publish'
import { environmentName, flagName, SETTINGS } from '@worldwright/publish/settings'
import { STATUS } from '../packages/core/src/world/errors.ts'
import { commandLineReference } from './programs/command-line-reference.ts'
import { ROOT } from './source-files.ts'

/** Folders of the packages with stable entries. */
const PUBLISHED = [
  'client',
  'core',
  'node',
  'search',
  'entities',
  'sqlite',
  'postgres',
  'opensearch',
  'engines',
  'semantic',
  'extensions',
  'publish',
  'serve',
  'conformance',
]

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8')
}

function headings(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '')
}

test('every setting has a heading, in order, with its three spellings', () => {
  const text = page('reference/settings.md')
  assert.deepEqual(
    headings(text),
    SETTINGS.map(({ name }) => name),
  )
  for (const { name } of SETTINGS) {
    assert.ok(text.includes(`\`${environmentName(name)}\``), name)
    assert.ok(text.includes(`\`${flagName(name)}\``), name)
  }
})

test('every setting allowed in a definition is in its schema, and vice versa', () => {
  const { properties } = definitionSchema() as { properties: Record<string, unknown> }
  const described = [
    '$schema',
    'id',
    'name',
    'description',
    'license',
    'attribution',
    'types',
    'sources',
    'search',
    'attachments',
  ]
  assert.deepEqual(
    Object.keys(properties)
      .filter((name) => !described.includes(name))
      .toSorted(),
    SETTINGS.filter(({ notInFile }) => !notInFile)
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('every error code has a heading with its status', () => {
  const text = page('reference/errors.md')
  assert.deepEqual(headings(text), Object.keys(STATUS))
  for (const [code, status] of Object.entries(STATUS))
    assert.ok(text.includes(`## ${code}\n\nStatus ${status}. `), code)
})

test('the command line reference equals the help of the commands', async () => {
  // To update it: node --conditions=@worldwright/source test/programs/command-line-reference.ts > docs/reference/command-line.md
  assert.equal(page('reference/command-line.md'), await commandLineReference())
})

test('the storage contract has a heading for every method, and a row for every fault', () => {
  const text = page('reference/storage-contract.md')
  const contract = readFileSync(join(ROOT, 'packages/core/src/store/contract.ts'), 'utf8')
  const members = (name: string) => {
    const body =
      contract.split(new RegExp(`export interface ${name} (?:extends .*)?\\{`))[1]?.split('\n}')[0] ??
      assert.fail(name)
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member]) => member)
  }
  const headed = [...text.matchAll(/^### (\w+)$/gm)].map(([, member]) => member)
  const storage = members('Store').filter((member) => member !== 'find')
  assert.deepEqual(headed, [...members('Source'), ...storage, ...members('Capabilities'), ...members('Bulk')])
  const faults = readFileSync(join(ROOT, 'packages/core/src/store/storage-fault.ts'), 'utf8')
  const codes = faults.split('export type StorageFaultCode =')[1]?.split('\n\n')[0] ?? ''
  assert.deepEqual(
    [...text.matchAll(/^\| `(\w+)` \| /gm)].map(([, code]) => code),
    [...codes.matchAll(/\| '(\w+)'/g)].map(([, code]) => code),
  )
})

test('an engine must implement 15 methods in total, handles included', () => {
  const contract = readFileSync(join(ROOT, 'packages/core/src/store/contract.ts'), 'utf8')
  const needed = (name: string, pattern: RegExp) => {
    const body = contract.split(pattern)[1]?.split('\n}')[0] ?? assert.fail(name)
    return [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, member]) => `${name}.${member}`)
  }
  assert.deepEqual(needed('Capabilities', /export interface Capabilities \{/), [])
  const methods = [
    ...needed('Source', /export interface Source \{/),
    ...needed('Store', /export interface Store extends .*\{/),
    ...needed('Bulk', /export interface Bulk \{/),
    ...needed('Snapshot', /export interface Snapshot \{/),
  ]
  // The core provides both: `scan` and `PositionWatch`.
  const own = methods.filter((method) => method !== 'Store.find' && method !== 'Store.watch')
  assert.equal(own.length, 15, own.join(', '))
})

test('every entry of a package is on the stability page', () => {
  const promised = [...page('reference/stability.md').matchAll(/^\| `(@worldwright\/[^`]+)` \|/gm)].map(
    ([, name]) => name,
  )
  const entries = PUBLISHED.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8'))
    return Object.keys(exports).map((entry) => name + entry.slice(1))
  })
  assert.deepEqual(
    promised.toSorted(),
    entries.filter((entry) => !entry.endsWith('/package.json')).toSorted(),
  )
})

test('links between documents are not broken', () => {
  for (const folder of ['guides', 'reference']) {
    for (const name of readdirSync(join(ROOT, 'docs', folder))) {
      const text = page(`${folder}/${name}`)
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+\.md)[^)]*\)/g))
        assert.doesNotThrow(
          () => readFileSync(join(ROOT, 'docs', folder, target)),
          `${folder}/${name}: ${target}`,
        )
    }
  }
})
