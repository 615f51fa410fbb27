import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect, isWorldError } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { realData } from '../real-data.ts'
import { DESCRIPTION, fill, moon } from './served.fixture.ts'

const FILES = [
  'urltestdata.json',
  'urltestdata-javascript-only.json',
  'ada_extra_urltestdata.json',
  'ada_long_urltestdata.json',
  'verifydnslength_tests.json',
  'toascii.json',
  'IdnaTestV2.json',
]

/** URLs that are not in the suite and that an operator may write. */
const MORE = [
  'https://h',
  'https://h/',
  'HTTPS://H/API',
  'https://h:8443/a/b/',
  'https://h/a//',
  'https://h//a',
  'https://h/a%2Fb/%7Bx%7D',
  'https://h/{type}',
  'https://h/a/../b',
  'https://[::1]:8080/api',
  'https://h?',
  'https://h#',
  'https://h/a?',
  'https://h/a#',
  'https://h/a?x=1',
  'https://@h/a',
  'https://:@h/a',
  'https://u@h/a',
  'https://u:p@h/a',
  'https:///h/a',
  'https:h/a',
  'https:/h/a',
  'https:\\\\h\\a',
  'https://h\\a',
  ' https://h/a',
  'https://h/a ',
  'https://h/a b',
  'https://h/a\tb',
  'https://h/a\nb',
  'https://h:99999/a',
  'ftp://h/a',
  '//h/a',
  '/api/world/v0',
  'api',
  '',
  'https://',
  'https',
]

/** Returns every input of the suite, once. */
function urls(context: TestContext): readonly string[] | undefined {
  const inputs: string[] = [...MORE]
  for (const file of FILES) {
    const path = realData(context, join('hostile/wpt-url', file))
    if (path === undefined) return undefined
    const cases = JSON.parse(readFileSync(path, 'utf8')) as (string | { input?: string })[]
    for (const one of cases) {
      const input = typeof one === 'string' ? undefined : one.input
      if (input === undefined) continue
      inputs.push(input)
      // These files contain only hosts.
      if (/^(?:toascii|Idna)/.test(file)) inputs.push(`https://${input}/api`)
    }
  }
  return [...new Set(inputs)]
}

/**
 * Reports whether a URL follows the rule: absolute http or https, written out (without a browser's repairs: no white
 * space, no backslash, no missing slash), a host that the URL standard accepts, and no userinfo, query or fragment.
 */
function isValid(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  const [, authority = ''] = /^https?:\/\/([^/]*)/i.exec(text) ?? []
  return authority !== '' && !authority.includes('@') && !/[\s?#\\]/.test(text)
}

/** Returns a fake world whose document names this API, and the URLs requested from it. */
function stub(api: string) {
  const sent: string[] = []
  const fetch = async (url: string) => {
    sent.push(url)
    return Response.json(
      sent.length === 1
        ? { protocol: 'world/0.1', endpoints: { api } }
        : { type: 'sol:moon', id: 'io', attributes: {} },
    )
  }
  return { sent, fetch }
}

const DOCUMENT = 'https://origin.example/.well-known/world.json'

test('the client accepts a URL of the suite as API, or fails with invalid_response and sends nothing', async (t) => {
  const inputs = urls(t)
  if (inputs === undefined) return
  const counts = { valid: 0, invalid: 0 }
  for (const api of inputs) {
    const shown = JSON.stringify(api)
    const { sent, fetch } = stub(api)
    const reached = await connect('https://origin.example', { fetch }).catch((thrown: unknown) => ({
      thrown,
    }))
    if (isValid(api)) {
      counts.valid += 1
      assert.ok('get' in reached, shown)
      await reached.get('sol:moon', 'io')
      // As given, with the route appended: not parsed, not normalized.
      const slash = api.endsWith('/') ? '' : '/'
      assert.deepEqual(sent, [DOCUMENT, `${api}${slash}entities/sol%3Amoon/io`])
    } else {
      counts.invalid += 1
      assert.ok('thrown' in reached && isWorldError(reached.thrown), shown)
      assert.equal(reached.thrown.code, 'invalid_response', shown)
      assert.deepEqual(sent, [DOCUMENT], shown)
    }
  }
  assert.ok(counts.valid > 1_000 && counts.invalid > 1_000, JSON.stringify(counts))
})

test('the server accepts exactly the same URLs as apiUrl, and is found at each of them', async (t) => {
  const inputs = urls(t)
  if (inputs === undefined) return
  const storage = createMemoryStore()
  await fill(storage, [moon('io')])
  for (const apiUrl of inputs) {
    const shown = JSON.stringify(apiUrl)
    const make = () =>
      createWorld({
        ...DESCRIPTION,
        store: storage,
        publicUrl: 'https://origin.example',
        apiUrl,
        cacheBytes: 0,
      })
    if (!isValid(apiUrl)) {
      assert.throws(make, TypeError, shown)
      continue
    }
    const world = await connect('https://origin.example', { fetch: toFetch(make()) })
    assert.equal(world.document.endpoints.api, apiUrl)
    assert.equal((await world.get('sol:moon', 'io')).id, 'io', shown)
  }
})
