import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { idle, show, shown, startPage } from '../page.fixture.ts'

startPage()
const { useAnswer } = await import('./use-answer.ts')

function View({ question }: { question: JsonObject | undefined }) {
  return useAnswer(question)
    .value?.entities.map(({ title }) => title)
    .join()
}

test('a query is sent whenever it changes, and the titles in its answer are recorded', async () => {
  const entities = [{ type: 'f:thing', id: 'io', title: 'Io', attributes: {} }]
  const { open, within, asked } = await openFake({
    answers: { 'actions/worldwright:query': { output: { entities } } },
  })
  show(within(h(View, { question: undefined })))
  await idle()
  assert.deepEqual(asked, [])
  show(within(h(View, { question: { types: ['f:thing'] } })))
  await shown('Io')
  show(within(h(View, { question: { types: ['f:thing'] } })))
  await idle()
  assert.deepEqual(asked, ['actions/worldwright:query {"types":["f:thing"]}'])
  assert.deepEqual(open.titles.known({ type: 'f:thing', id: 'io' }), { state: 'found', title: 'Io' })
})
