import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isObject, pointerSteps } from '@worldwright/client/protocol'
import { definitionFromText, definitionSchema } from '@worldwright/publish'
import { parse } from 'yaml'
import { ROOT } from './source-files.ts'

/** Returns the sections of the reference page, keyed by heading. */
function sections(): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs/reference/world-yaml.md'), 'utf8')
  const [, ...parts] = text.split(/^## /m)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]))
}

/** Collects the paths of the members that a schema describes. `*` stands for any name. */
function members(schema: unknown, path: string, found: Set<string>): Set<string> {
  const node = resolved(schema)
  for (const keyword of ['oneOf', 'anyOf', 'allOf'])
    for (const one of (node[keyword] as unknown[] | undefined) ?? []) members(one, path, found)
  for (const [name, inner] of Object.entries((node['properties'] ?? {}) as object)) {
    const member = path === '' ? name : `${path}.${name}`
    found.add(member)
    members(inner, member, found)
  }
  if (isObject(node['additionalProperties'])) members(node['additionalProperties'], `${path}.*`, found)
  if (isObject(node['items'])) members(node['items'], path, found)
  return found
}

function resolved(schema: unknown): Record<string, unknown> {
  const node = schema as Record<string, unknown>
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  const steps = pointerSteps(reference.slice('#'.length))
  const named = steps.reduce<unknown>(
    (one, step) => (one as Record<string, unknown>)[step],
    definitionSchema(),
  )
  const { $ref: _, ...own } = node
  return { ...resolved(named), ...own }
}

/** Reports whether a value has a member at the path. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  if (Array.isArray(value)) return value.some((one) => has(one, [name, ...rest]))
  if (!isObject(value)) return false
  if (name === '*') return Object.values(value).some((one) => has(one, rest))
  return Object.hasOwn(value, name) && has(value[name], rest)
}

test('every member of a definition has a heading on the page, and every heading belongs to a member', () => {
  assert.deepEqual(
    [...sections().keys()].toSorted(),
    [...members(definitionSchema(), '', new Set())].toSorted(),
  )
})

test('every member has a valid example', () => {
  for (const [member, text] of sections()) {
    const examples = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
    assert.ok(examples.length > 0, `${member} has no example`)
    for (const example of examples)
      assert.doesNotThrow(() => definitionFromText(example, 'world.yaml'), member)
    assert.ok(
      examples.some((example) => has(parse(example), member.split('.'))),
      `${member} is not in its example`,
    )
    assert.match(text, /^[\s\S]*?\n\n\S[\s\S]*?\.\n\n```yaml/, `${member} is not described`)
  }
})
