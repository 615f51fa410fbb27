import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from './world-pages.fixture.ts'

test('a missing page is answered with an HTML page and the status of the error', async () => {
  const { get } = await world([])
  const statuses = {
    '/t/sol%3Aplanet/vulcan': [404, 'entity_not_found'],
    '/t/sol%3Amoon': [404, 'unknown_type'],
    '/t/Planet': [400, 'invalid_type'],
    '/t/sol%3Aplanet/%00': [400, 'invalid_id'],
    '/lists/sol%3Aplanet/forged': [400, 'invalid_cursor'],
  } as const
  for (const [path, [status, code]] of Object.entries(statuses)) {
    const response = await get(path)
    assert.deepEqual([response.status, response.headers.get('world-error-code')], [status, code], path)
    assert.match(await response.text(), /<h1 dir="auto">Nothing here<\/h1>/)
  }
})

test('an unknown path is answered with HTML for browsers and JSON for programs', async () => {
  const { get } = await world([])
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const statuses = {
    '/t/sol%3Aplanet/a/b': [404, 'not_found'],
    '/nowhere': [404, 'not_found'],
    '/t/%zz': [400, 'invalid_request'],
  } as const
  for (const [path, [status, code]] of Object.entries(statuses)) {
    const response = await get(path, browser)
    assert.deepEqual([response.status, response.headers.get('world-error-code')], [status, code], path)
    assert.equal(response.headers.get('vary'), 'Accept, Accept-Encoding')
    assert.match(await response.text(), /<h1 dir="auto">Nothing here<\/h1>/)
    for (const accept of ['*/*', 'application/json', 'application/json, text/html'])
      assert.equal(((await (await get(path, { accept })).json()) as { code: string }).code, code)
  }
})

test('API paths have no HTML error pages', async () => {
  const { get } = await world([])
  for (const path of ['/api/world/v0/nothing', '/api/elsewhere', '/.well-known/nothing'])
    assert.equal(
      ((await (await get(path, { accept: 'text/html' })).json()) as { code: string }).code,
      'not_found',
    )
})
