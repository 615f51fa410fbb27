import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReadingProfile } from '@worldwright/client/foreign'
import { answerOf, SHAPES, type ShapeName } from '../../client/src/foreign/shapes.fixture.ts'
import { askedIn, ORIGIN } from '../testing/in-process.ts'
import { checkServer } from './check-server.ts'
import { Exchange } from './http/exchange.ts'
import type { Wire } from './http/wire.ts'

/** Cursors of one list are accepted by every other list. */
const CURSORS = ['L1-routes-6.g']
/** Pages lead to the next one by a URL without the parameter `cursor`, which is ignored. */
const URLS = ['L1-routes-6.f', 'L1-errors-1.k']

/** Warnings in each world. */
const WARNED: Record<ShapeName, readonly string[]> = {
  ours: CURSORS,
  jsonApi: URLS,
  jsonApiLinkObjects: URLS,
  hydra: URLS,
  oData: URLS,
  // A page has a cursor beside `hasNextPage: false`.
  relay: ['L1-routes-6.f', ...CURSORS],
  hal: URLS,
  bareLink: URLS,
  bareHeader: CURSORS,
  metaBody: CURSORS,
  pageTotal: CURSORS,
  nullBesideHeader: CURSORS,
}

for (const name of Object.keys(SHAPES) as ShapeName[]) {
  test(`every Level 1 check runs against a world of the shape ${name} without options, and none fails`, async () => {
    let reading: ReadingProfile | undefined
    const results = await Array.fromAsync(
      checkServer(ORIGIN, {
        profile: 'level-1',
        wire: wireTo(name),
        onFacts: (facts) => {
          reading = facts.reading
        },
      }),
    )
    const others = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'not-asked')
    assert.deepEqual(
      others.map(({ id, reason }) => [id, reason]),
      [],
    )
    const warned = results.filter(({ outcome }) => outcome === 'warning').map(({ id }) => id)
    assert.deepEqual(warned, WARNED[name])
    assert.ok(results.filter(({ outcome }) => outcome === 'pass').length >= 60)
    const { names, proved } = reading as ReadingProfile
    for (const part of ['id', 'cursor'] as const)
      assert.ok(names[part] === undefined || proved.includes(part), `${part} is a guess: ${names[part]}`)
  })
}

test('a next page on another origin is not requested', async () => {
  const asked = new Set<string>()
  const wire = wireTo('oData', (origin, text) => {
    asked.add(origin)
    return text.replace(/"@odata.nextLink":"http:\/\/world.test/, '"@odata.nextLink":"http://elsewhere.test')
  })
  const results = await Array.fromAsync(checkServer(ORIGIN, { profile: 'level-1', wire }))
  const { outcome, reason = '' } = results.find(({ id }) => id === 'L1-routes-6.a') ?? {}
  assert.equal(outcome, 'not-asked')
  assert.match(reason, /^http:\/\/elsewhere\.test\/\S+ is on another origin$/)
  assert.deepEqual([...asked], [ORIGIN])
})

test('the proof of names ends with the third request that nothing answers', async () => {
  const types = Array.from({ length: 9 }, (_, at) => `lib:kind${at}`)
  const document = { protocol: 'world/0.1', endpoints: { api: `${ORIGIN}/api` }, entityTypes: types }
  const asked: string[] = []
  const wire: Wire = {
    async send(origin, bytes) {
      const { path, query } = askedIn(bytes)
      const body = Buffer.from(JSON.stringify(document))
      if (path.startsWith('/.'))
        return new Exchange(origin, bytes, { status: 200, fields: [], body, interim: [] })
      asked.push(`${path}?${query}`)
      return new Exchange(origin, bytes, undefined, 'no answer came')
    },
    close() {},
  }
  await Array.fromAsync(checkServer(ORIGIN, { profile: 'level-1', wire }))
  assert.equal(asked.filter((one) => /kind\d\?limit=1$/.test(one)).length, 3)
})

/** Returns a wire to a world of a shape, which refuses what every HTTP server refuses. */
function wireTo(name: ShapeName, change = (_origin: string, text: string) => text): Wire {
  return {
    async send(origin, bytes) {
      const { method, path, query, body } = askedIn(bytes)
      const answer = ((): Response => {
        const isAction = path.includes('/actions/')
        if (method !== (isAction ? 'POST' : 'GET')) return refusal(405, 'method_not_allowed')
        try {
          return answerOf(SHAPES[name], ORIGIN, `${path}${query && `?${query}`}`, body.toString())
        } catch {
          return refusal(400, 'malformed_body')
        }
      })()
      const { status } = answer
      const text = Buffer.from(change(origin, await answer.text()))
      const response = { status, fields: [...answer.headers], body: text, interim: [] }
      return new Exchange(origin, bytes, response)
    },
    close() {},
  }
}

function refusal(status: number, code: string): Response {
  return Response.json({ code, message: 'This is refused.' }, { status })
}
