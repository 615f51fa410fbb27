import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { definitionSchema } from '@worldwright/publish'
import {
  environmentName,
  flagName,
  SETTINGS,
  type Setting,
  settingFromText,
} from '@worldwright/publish/settings'
import { STATUS } from '../packages/core/src/world/errors.ts'
import { commandLineReference, commandPages } from './programs/command-line-reference.ts'
import { ROOT } from './source-files.ts'

/** Folders of the packages whose entry points the stability page must list. */
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
  'embed',
  'publish',
  'serve',
  'telemetry',
  'mcp',
  'conformance',
]

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8')
}

function headings(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '')
}

test('the settings page documents every setting, in order', () => {
  const text = page('reference/settings.md')
  assert.deepEqual(
    headings(text),
    SETTINGS.map(({ name }) => name),
  )
  const [, ...sections] = text.split('\n## ')
  for (const [index, setting] of SETTINGS.entries()) {
    const { name, description, fallback, notInFile } = setting
    const section = sections[index] ?? ''
    const opening = `${name}\n\n${description.charAt(0).toUpperCase()}${description.slice(1)}`
    assert.equal(section.slice(0, opening.length), opening)
    const [flag, file] = [flagName(name), notInFile ? '–' : `\`${name}\``]
    const flags = setting.kind === 'truth' ? `\`${flag}\`, \`${flag.replace('--', '--no-')}\`` : `\`${flag}\``
    const row = `| ${file} | \`${environmentName(name)}\` | ${flags} | ${valuesOf(setting)} | ${fallback} |`
    assert.ok(section.trimEnd().endsWith(`\n${row}`), row)
  }
})

/** Returns the possible values of a setting, in the words of the page. */
function valuesOf(setting: Setting): string {
  if (setting.kind === 'truth') return '`true` or `false`'
  if (setting.kind === 'list') return 'a list; in the environment and as a flag, separated by commas'
  if (setting.choices !== undefined) return setting.choices.map((choice) => `\`${choice}\``).join(', ')
  const refusal = settingFromText(setting, '-1')
  return 'fault' in refusal ? refusal.fault.replace('is ', '') : 'text'
}

test('the definition schema contains exactly those settings that a definition may contain', () => {
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
    'missing',
    'search',
    'attachments',
    'look',
    'tiles',
    'webhooks',
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

test('the embedding page documents every option and member', () => {
  const text = page('reference/embedding.md')
  for (const [path, names] of [
    ['core/src/handler/options.ts', ['WorldOptions']],
    ['core/src/handler/origins.ts', ['OriginOptions']],
    ['core/src/world/world.ts', ['WorldDescription']],
    ['core/src/handler/handler.ts', ['WorldHandler']],
    ['node/src/node-http.ts', ['ListenOptions']],
    ['extensions/src/operator/routes.ts', ['OperatorOptions']],
    ['extensions/src/operator/writer.ts', ['WriterOptions']],
    [
      'embed/src/define-world.ts',
      ['TypeOptions', 'ActionOptions', 'KnownCaller', 'Entities', 'DefinedWorld'],
    ],
  ] as const) {
    const source = readFileSync(join(ROOT, 'packages', path), 'utf8')
    for (const name of names) {
      const [, body = ''] =
        new RegExp(`^export interface ${name}\\b.*?\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? []
      const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(<:]/gm)].map(([, member]) => member)
      assert.ok(members.length > 0, name)
      for (const member of members)
        assert.match(text, new RegExp(`^\\| [^|]*\`${member}\\b`, 'm'), `${name}.${member}`)
    }
  }
})

test('every error code has a heading with its status', () => {
  const text = page('reference/errors.md')
  assert.deepEqual(headings(text), Object.keys(STATUS))
  for (const [code, status] of Object.entries(STATUS))
    assert.ok(text.includes(`## ${code}\n\nStatus ${status}. `), code)
})

test('the command line reference is the same as the generated page', async () => {
  // Update: node --conditions=@worldwright/source test/programs/command-line-reference.ts > docs/reference/command-line.md
  assert.equal(page('reference/command-line.md'), await commandLineReference())
})

test('the command line reference contains everything in the help texts of the commands', async () => {
  const text = page('reference/command-line.md').replaceAll(/[`\\]/g, '')
  const sections = new Map(text.split('\n## ').map((section) => [section.split('\n')[0], section]))
  const lost: string[] = []
  for (const [command, help] of await commandPages()) {
    const section = sections.get(`world ${command}`) ?? ''
    const [usage = '', description = ''] = help.split('\n\n')
    const named = [description.replaceAll('\n', ' '), ...usage.replace('Usage: ', '').split('\n')]
    const [, examples = ''] = help.split('\nExamples:\n')
    const titles = help.match(/^Options for .*$/gm) ?? []
    for (const words of [...named, ...titles, ...examples.trimEnd().split('\n')])
      if (!section.includes(words.trim())) lost.push(`${command}: ${words.trim()}`)
    const shared = sections.get('Shared arguments and options') ?? ''
    const namesShared = /\n- \[Shared\]\(.*?\): (.*)/.exec(section)?.[1]?.split(', ') ?? []
    for (const [, name = '', told = ''] of help.matchAll(
      /^ {2}(\S+(?: \S+)*) {2,}(\S.*(?:\n {3,}\S.*)*)/gm,
    )) {
      const item = `\n- ${name}: ${told.replaceAll(/\s+/g, ' ')}\n`
      const isShared = shared.includes(item) && (name === '-h, --help' || namesShared.includes(name))
      if (!section.includes(item) && !isShared && !isLinked(item, section)) lost.push(`${command}: ${item}`)
    }
  }
  assert.deepEqual(lost, [])
})

/** Reports whether `section` documents an option by a link to its setting, because its help only repeats the setting's. */
function isLinked(item: string, section: string): boolean {
  return SETTINGS.some(({ name, kind, description, fallback, choices }) => {
    const flag = flagName(name)
    const values = choices && ` (choices: "${choices.join('", "')}")`
    const told = `${description} (default: ${fallback}; ${environmentName(name)})${values ?? ''}\n`
    const on = item.startsWith(`\n- ${flag}`) && item.endsWith(`: ${told}`)
    const off = item === `\n- ${flag.replace('--', '--no-')}: the opposite of ${flag}\n`
    const shown = kind === 'truth' ? flag.replace('--', '--[no-]') : flag
    return (on || off) && section.includes(`[${shown}](settings.md#${name.toLowerCase()})`)
  })
}

test('the store contract has a heading for every method and a table row for every fault', () => {
  const text = page('reference/store-contract.md')
  const contract = readFileSync(join(ROOT, 'packages/core/src/store/contract.ts'), 'utf8')
  const members = (name: string) => {
    const body =
      contract.split(new RegExp(`export interface ${name} (?:extends .*)?\\{`))[1]?.split('\n}')[0] ??
      assert.fail(name)
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member]) => member)
  }
  const headed = [...text.matchAll(/^### (\w+)$/gm)].map(([, member]) => member)
  const store = members('Store').filter((member) => member !== 'find')
  assert.deepEqual(headed, [...members('Source'), ...store, ...members('Capabilities'), ...members('Bulk')])
  const faults = readFileSync(join(ROOT, 'packages/core/src/store/store-fault.ts'), 'utf8')
  const codes = faults.split('export type StoreFaultCode =')[1]?.split('\n\n')[0] ?? ''
  assert.deepEqual(
    [...text.matchAll(/^\| `(\w+)` \| /gm)].map(([, code]) => code),
    [...codes.matchAll(/\| '(\w+)'/g)].map(([, code]) => code),
  )
})

test('an engine has to implement 15 methods, including those of its handles', () => {
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
  // The core implements these two, by `scan` and `PositionWatch`.
  const own = methods.filter((method) => method !== 'Store.find' && method !== 'Store.watch')
  assert.equal(own.length, 15, own.join(', '))
})

test('the stability page lists every package entry point', () => {
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

test('links between documents resolve', () => {
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
