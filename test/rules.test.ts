import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './source-files.ts'

interface SpecRule {
  readonly id: string
  readonly source: 'level-1' | 'decisions'
  readonly profile: 'level-1' | 'full'
  readonly roles: readonly string[]
  readonly text: string
}

function read(name: string): string {
  return readFileSync(join(ROOT, 'docs/spec', name), 'utf8')
}

const { rules } = JSON.parse(read('rules.json')) as { rules: SpecRule[] }

function idsIn(page: string): string[] {
  return [...page.matchAll(/\*\*((?:L1|D\d)-[a-z0-9-]+)\*\*/g)].map((match) => match[1] ?? '')
}

test('the specification pages contain every rule id exactly once and no other ids', () => {
  for (const source of ['level-1', 'decisions'] as const) {
    const listed = rules.filter((rule) => rule.source === source).map((rule) => rule.id)
    assert.ok(listed.length > 40)
    assert.deepEqual(idsIn(read(`${source}.md`)).toSorted(), listed.toSorted())
  }
})

test('rule ids are unique, and every rule binds a role', () => {
  assert.equal(new Set(rules.map((rule) => rule.id)).size, rules.length)
  for (const rule of rules) {
    assert.ok(rule.text.length > 0 && rule.roles.length > 0, rule.id)
    assert.equal(rule.profile, rule.source === 'level-1' ? 'level-1' : 'full', rule.id)
  }
})
