import assert from 'node:assert/strict'
import { API, JSON_TYPE, overStores } from './world.fixture.ts'

overStores('discover returns the matching fields on request', async ({ sol }) => {
  const { send } = await sol()
  const ask = async (input: object) =>
    (await send('POST', `${API}/actions/wp%3Adiscover`, JSON_TYPE, JSON.stringify({ input }))).json()
  const { output } = await ask({ text: 'europe', types: ['sol:moon'], matchedIn: true })
  assert.deepEqual([output.entities[0].id, output.matchedIn[0][0]], ['europa', '/title'])
  assert.deepEqual((await ask({ limit: 2, matchedIn: true })).output.matchedIn, [[], []])
  assert.deepEqual((await ask({ text: 'europa', matchedIn: 'yes' })).details.fields, [
    { in: 'body', pointer: '/input/matchedIn', reason: 'wrong_type' },
  ])
})
