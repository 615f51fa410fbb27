import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readRules, rulesDigest, specFiles } from '../testing/spec-files.ts'
import { type CheckListing, listClientChecks, listServerChecks } from './listing.ts'

interface Rule {
  readonly id: string
  readonly profile: string
  readonly roles: readonly string[]
  readonly unobservable?: string
  readonly checks?: Readonly<Record<string, readonly string[]>>
}

const file = new URL('../../../docs/spec/rules.json', import.meta.url)
const rules: readonly Rule[] = JSON.parse(await readFile(file, 'utf8')).rules
const checks: Readonly<Record<string, CheckListing[]>> = {
  server: listServerChecks(),
  client: listClientChecks(),
}

function covers(role: string, { id }: Rule): string[] {
  return (checks[role] ?? []).filter((check) => check.rules.includes(id)).map((check) => check.id)
}

/** Returns the roles that `rule` binds but that have no check for it. */
function uncovered(rule: Rule): string[] {
  return ['server', 'client'].filter((role) => rule.roles.includes(role) && covers(role, rule).length === 0)
}

test('every rule that binds a server or a client has a check, or a stated reason for having none', () => {
  const silent = rules.filter((rule) => uncovered(rule).length > 0 && rule.unobservable === undefined)
  assert.deepEqual(
    silent.map(({ id }) => id),
    [],
  )
})

test('only rules without a check for some role explain why', () => {
  const contradictory = rules.filter(
    (rule) =>
      rule.unobservable !== undefined && uncovered(rule).length === 0 && covers('server', rule).length > 0,
  )
  assert.deepEqual(
    contradictory.map(({ id }) => id),
    [],
  )
})

test('if the reason for a missing check names one role, the other role has a check', () => {
  for (const rule of rules) {
    const named = /^(Server|Client): /.exec(rule.unobservable ?? '')?.[1]?.toLowerCase()
    if (named !== undefined) assert.deepEqual(uncovered(rule), [named], rule.id)
  }
})

test('rules.json names the checks of each rule', () => {
  for (const rule of rules) {
    const own = Object.fromEntries(
      ['server', 'client']
        .map((role) => [role, covers(role, rule)] as const)
        .filter(([, ids]) => ids.length > 0),
    )
    assert.deepEqual(rule.checks ?? {}, own, rule.id)
  }
})

test('every check refers only to existing rules and has the profile of its first rule', () => {
  const profiles = new Map(rules.map(({ id, profile }) => [id, profile]))
  for (const check of [...listServerChecks(), ...listClientChecks()]) {
    for (const rule of check.rules) assert.ok(profiles.has(rule), `${check.id} names ${rule}`)
    assert.equal(check.profile, profiles.get(check.rules[0] ?? ''), check.id)
    if (check.profile === 'level-1') continue
    assert.match(check.id, /^D/)
  }
})

test('check ids are unique, and each demand is a single line', () => {
  for (const list of [listServerChecks(), listClientChecks()]) {
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length)
    assert.deepEqual(
      list.filter(({ demands }) => demands === '' || demands.length > 130 || demands.includes('\n')),
      [],
    )
  }
})

test('the files generated from the rules are up to date', async () => {
  for (const [url, text] of specFiles(await readRules()))
    assert.equal(await readFile(new URL(url), 'utf8'), text, `npm run spec writes ${url}`)
})

test('rules do not change without a new version in the history of the specification', async () => {
  const { version, rules } = await readRules()
  const readme = await readFile(new URL('../../../docs/spec/README.md', import.meta.url), 'utf8')
  const history = [...readme.matchAll(/^\| (\d+\.\d+) \| `([0-9a-f]{16})` \| .+ \|$/gm)]
  assert.equal(new Set(history.map(([, one]) => one)).size, history.length)
  const changed = 'docs/spec/README.md says which new version such a change of the rules needs'
  assert.deepEqual(history.at(-1)?.slice(1), [version, rulesDigest(rules)], changed)
})
