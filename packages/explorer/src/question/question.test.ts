import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type World, WorldError } from '@worldwright/client'
import { fieldOf } from '@worldwright/extensions/shown'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { ask, pagesOfQuestion, questionOf } from './question.ts'

/** Creates a world that returns or throws `answers` one after the other and records the inputs. */
function worldOf(...answers: (object | Error)[]) {
  const asked: unknown[] = []
  const action = async (_: string, input: unknown) => {
    asked.push(input)
    const answer = answers.shift() ?? {}
    if (answer instanceof Error) throw answer
    return { output: answer }
  }
  return { world: { action } as unknown as World, asked }
}

const busy = (retryAfter: number) => new WorldError('unavailable', 'busy', { status: 503, retryAfter })

test('a busy world is retried only if it requests a short wait', async () => {
  const moment = worldOf(busy(0), busy(0), { total: 5 })
  assert.equal((await ask(moment.world, {}, {})).total, 5)
  for (const error of [busy(60), new WorldError('invalid_input', 'no', { status: 400 })]) {
    const { world, asked } = worldOf(error)
    await assert.rejects(ask(world, {}, {}), error)
    assert.equal(asked.length, 1)
  }
  const always = worldOf(busy(0), busy(0), busy(0), busy(0), { total: 5 })
  await assert.rejects(ask(always.world, {}, {}), { code: 'unavailable' })
})

test('malformed parts of an answer are ignored and the rest is used', async () => {
  const { world } = worldOf({
    entities: [{ type: 'a:b', id: '1' }, 5],
    facets: [null, { buckets: [{ count: 'x' }] }],
    total: [],
  })
  const answer = await ask(world, {}, {})
  assert.deepEqual([answer.entities.length, answer.facets.length, answer.total], [1, 2, undefined])
  assert.deepEqual(answer.facets[1]?.buckets, [])
})

test('the pages of a question are requested by cursor', async () => {
  const { world, asked } = worldOf({ nextCursor: 'c1' }, {})
  const pages = pagesOfQuestion(world, async () => ({ types: ['a:b'] }))
  const { signal } = new AbortController()
  let read = 0
  for await (const _ of pages({ cursor: undefined, pageSize: 2 }, signal)) read += 1
  assert.equal(read, 2)
  assert.deepEqual(asked, [
    { types: ['a:b'], limit: 2 },
    { types: ['a:b'], limit: 2, cursor: 'c1' },
  ])
})

test('a list is not asked for by a bound of dates that is none', async () => {
  const day = { key: 'day', kind: 'text', isDate: true, field: fieldOf('day', {}, {}) } as const
  const by = (from: string) =>
    questionOf('a:b', { ...NOTHING_ASKED, filters: [{ is: 'range', key: 'day', from, to: '' }] }, [day])
  await assert.rejects(by('2020-1-1'), { code: 'invalid_argument', message: 'These are no dates: in.day' })
  const where = { op: '>=', args: [{ property: 'day' }, '2020-01-01'] }
  assert.deepEqual(await by('2020-01-01'), { types: ['a:b'], where })
})
