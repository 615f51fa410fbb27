import { isObject, type JsonObject, parseJson, sameJson } from '../json/json.ts'
import type { Received } from './scripted-world.ts'
import { apiRequests, found, moon, normalForm, type Stage, scenario } from './stage.ts'

/** Has the client run `discover` with `args`. Returns the client's request and the `input` in its body. */
async function call(stage: Stage, ...args: string[]): Promise<{ request: Received; input: JsonObject }> {
  const world = await stage.world()
  await stage.succeed(['discover', world.origin, ...args])
  const request = stage.demand(apiRequests(world)[0], 'the API was not asked')
  const body = parseJson(request.body)
  const input = isObject(body) && isObject(body['input']) && body['input']
  return { request, input: stage.demand(input, 'the body is not JSON with an object input') }
}

/** Client scenarios: calls to the discovery action under Level 1. Ordered by rule. */
export const discoverScenarios = [
  scenario(
    'L1-discover-5.a',
    'the action is called with POST actions/wp%3Adiscover and an input, also an empty one',
    async (stage) => {
      const { request } = await call(stage)
      const right =
        request.method === 'POST' && normalForm(request.target) === '/api/world/v0/actions/wp%3Adiscover'
      stage.demand(right, `the request is ${request.method} ${request.target}`)
    },
  ).also('L1-discover-1', 'L1-endpoints-3', 'L1-routes-7', 'D4-1'),
  scenario('L1-endpoints-3.a', 'the colon of the action is written %3A in its path', async (stage) => {
    const { path } = (await call(stage, 'ice', '--type', 'sol:moon')).request
    stage.demand(/\/actions\/wp%3adiscover$/i.test(path), `the path is ${path}`)
    stage.advise(!path.includes('%3a'), `%3a stands for %3A in ${path}`)
  }),
  scenario('L1-routes-8.a', 'the body goes out with Content-Type: application/json', async (stage) => {
    const type = (await call(stage)).request.headers['content-type']
    const right = /^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type ?? '')
    stage.demand(right, `Content-Type is ${type ?? 'absent'}`)
  }).also('D6-20'),
  scenario('D6-21.a', 'the body of an action call has no content coding', async (stage) => {
    const coding = (await call(stage, 'ice '.repeat(100).trim())).request.headers['content-encoding']
    stage.demand(coding === undefined, `Content-Encoding is ${coding}`)
  }),
  scenario('L1-discover-2.a', 'types are sent as input.types, an array of strings', async (stage) => {
    const { input } = await call(stage, '--type', 'sol:moon', '--type', 'sol:planet')
    const right = sameJson(input['types'], ['sol:moon', 'sol:planet'])
    stage.demand(right, `input.types is ${JSON.stringify(input['types'])}`)
  }),
  scenario('L1-discover-3.a', 'the text is sent as input.text, a string', async (stage) => {
    const { input } = await call(stage, 'icy "ocean" ünder')
    stage.demand(input['text'] === 'icy "ocean" ünder', `input.text is ${JSON.stringify(input['text'])}`)
  }),
  scenario('L1-discover-4.a', 'the limit is sent as input.limit, an integer', async (stage) => {
    const { input } = await call(stage, '--limit', '3')
    stage.demand(input['limit'] === 3, `input.limit is ${JSON.stringify(input['limit'])}`)
  }),
  scenario(
    'L1-discover-6.a',
    'what is not asked for is left out of the input, or has its own kind: no null, no limit of 0',
    async (stage) => {
      const { input } = await call(stage, 'ice')
      const { types = [], text, limit = 1 } = input
      stage.demand(Array.isArray(types), `input.types is ${JSON.stringify(types)}`)
      stage.demand(typeof text === 'string', `input.text is ${JSON.stringify(text)}`)
      stage.demand(Number.isInteger(limit) && Number(limit) > 0, `input.limit is ${JSON.stringify(limit)}`)
    },
  ),
  scenario('D4-1.a', 'the results are read from output of the answer', async (stage) => {
    const world = await stage.world({ discover: () => ({ json: found([moon('io'), moon('europa')]) }) })
    await stage.expectIds(['discover', world.origin, 'moon'], 'io,europa')
  }),
  scenario('D7-2.b', 'results of the action are found under the names of other worlds too', async (stage) => {
    for (const name of ['items', 'results', 'data', 'matches']) {
      const output = { [name]: [moon(name)] }
      const world = await stage.world({ discover: () => ({ json: { action: 'wp:discover', output } }) })
      await stage.expectIds(['discover', world.origin], name)
    }
  }),
]
