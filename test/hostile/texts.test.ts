import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, isWorldError } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import fc from 'fast-check'
import { rounds } from '../rounds.ts'
import { ask } from './plain.fixture.ts'
import { DESCRIPTION, DISCOVER, fill, ORIGIN, stores } from './served.fixture.ts'

const headers = { 'content-type': 'application/json' }

/** Generates texts from words of query languages, joined by various separators. */
const grammar = fc
  .array(
    fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'NEAR/2',
      '(',
      ')',
      '"',
      "'",
      '*',
      '^',
      ':',
      '-',
      '+',
      '{',
      '}',
      '~',
      'title:',
      'europa',
      ' ',
      '\0',
      '\\',
      '%',
      '_',
      ';',
      '--',
      '\ud800',
      '\udc00',
      '\uffff',
    ),
    { maxLength: 100 },
  )
  .map((words) => words.join(''))

/** Generates texts of up to 512 code points from any characters, lone surrogates, and words of query languages. */
const texts = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 512 }),
    fc.string({ unit: 'grapheme', maxLength: 512 }),
    fc.string({ unit: 'grapheme-composite', maxLength: 100 }),
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 512 }),
    grammar,
    fc.constantFrom('a', '\u{1f30d}', '\u0301', '"', '\ud800', '\u706b').map((one) => one.repeat(512)),
  )
  .filter((text) => [...text].length <= 512)

test('any search text of up to 512 code points gets 200, even with lone surrogates', async (t) => {
  for (const [name, store] of await stores(t)) {
    await fill(
      store,
      ['Europa', 'Io', 'AND OR NOT', '火星 の 衛星', 'naïve "quoted"'].map((title, index) => ({
        type: 'sol:moon',
        id: String(index),
        title,
        attributes: { note: title },
      })),
    )
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    await fc.assert(
      fc.asyncProperty(texts, fc.option(fc.nat(120)), async (text, limit) => {
        const body = JSON.stringify({ input: { text, limit } })
        const answer = await ask(handler, DISCOVER, { method: 'POST', headers, body })
        assert.equal(answer.status, 200, name)
        const { output } = JSON.parse(answer.body) as {
          output: { entities: unknown[]; total: number; truncated: boolean; counts: Record<string, number> }
        }
        assert.ok(output.total >= output.entities.length && output.entities.length <= (limit ?? 20))
        assert.equal(output.truncated, output.total > output.entities.length)
        const counted = Object.values(output.counts).reduce((sum, count) => sum + count, 0)
        assert.equal(counted, output.total)
      }),
      { numRuns: rounds(200, 500) },
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        assert.equal(typeof (await world.discover({ text })).total, 'number')
      }),
      { numRuns: rounds(40, 100) },
    )
  }
})

test('a search text of more than 512 code points is refused as invalid_input', async (t) => {
  for (const [, store] of await stores(t)) {
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    const characters = ['a', '\u{1f30d}', '\u0301', ' ', '\ud800', 'ﷺ']
    for (const one of characters) {
      assert.equal(typeof (await world.discover({ text: one.repeat(512) })).total, 'number')
      const error: unknown = await world
        .discover({ text: one.repeat(513) })
        .catch((thrown: unknown) => thrown)
      assert.ok(isWorldError(error))
      assert.deepEqual([error.status, error.code], [400, 'invalid_input'])
    }
  }
})

test('any JSON as a body, an input or a member gets 200 or 400', async (t) => {
  const [first] = await stores(t)
  assert.ok(first !== undefined)
  const handler = createWorld({ ...DESCRIPTION, store: first[1], publicUrl: ORIGIN })
  const member = fc.oneof(fc.jsonValue(), fc.double(), fc.string(), fc.array(fc.string()))
  const bodies = fc.oneof(
    fc.json(),
    fc.record({ input: fc.jsonValue() }).map((body) => JSON.stringify(body)),
    fc
      .record({ text: member, types: member, limit: member, x: member }, { requiredKeys: [] })
      .map((input) => JSON.stringify({ input })),
    fc.constantFrom(
      '{"input":{"limit":1e400}}',
      '{"input":{"limit":-0}}',
      '{"input":{"limit":5.0}}',
      '{"input":null}',
    ),
  )
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, code } = await ask(handler, DISCOVER, { method: 'POST', headers, body })
      assert.match(`${status} ${code}`, /^(?:200 |400 invalid_input)$/)
    }),
    { numRuns: rounds(300, 1_000) },
  )
})
