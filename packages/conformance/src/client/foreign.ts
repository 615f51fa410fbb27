import { failureOf, resultsOf, valuesOf } from './run-client.ts'
import type { Reply, Script, ScriptedWorld } from './scripted-world.ts'
import { apiRequests, europa, moon, moons, refusal, type Stage, scenario } from './stage.ts'

/** Runs every client command on a world whose document has `change` applied. Fails unless all of them succeed. */
async function expectReadable(stage: Stage, change: Readonly<Record<string, unknown>>): Promise<void> {
  const world = await stage.world({ document: (document) => Object.assign(document, change) })
  await stage.object(['show', world.origin])
  await stage.object(europa(world))
  await stage.succeed(['list', world.origin, 'sol:moon'])
  await stage.succeed(['discover', world.origin, '--type', 'sol:moon'])
}

/** Has the client walk two pages linked by a cursor member called `name`. Fails unless the client prints both pages. */
async function expectBoth(stage: Stage, name: string, end: unknown): Promise<void> {
  const last = end === undefined ? {} : { [name]: end }
  const list: Script = ({ query }) =>
    query.has('cursor')
      ? { json: { entities: [moon('b')], ...last, total: 2 } }
      : { json: { entities: [moon('a')], [name]: 'c1', total: 2 } }
  const world = await stage.world({ list })
  const ids = await listedIn(stage, world, name)
  stage.demand(ids === 'a,b', `with ${name} the client printed ${ids || 'nothing'}`)
  // A client may read a page twice, to see if a member is a cursor.
  const asked = new Set(apiRequests(world).map(({ target }) => target)).size
  stage.demand(asked === 2, `with ${name}: ${JSON.stringify(end)} at the end it asked for ${asked} pages`)
}

/** Has the client list entities; the world responds with `body`. Fails unless the client prints exactly these ids. */
async function expectListed(stage: Stage, body: unknown, ids: string): Promise<void> {
  const world = await stage.world({ list: () => ({ json: body }) })
  const shape = JSON.stringify(body).slice(0, 60)
  const printed = await listedIn(stage, world, shape)
  stage.demand(printed === ids, `of ${shape} the client printed ${printed || 'nothing'}`)
}

/** Returns the ids that the client prints for a list. Warns if the client reports that it does not recognise the list. */
async function listedIn(stage: Stage, world: ScriptedWorld, what: string): Promise<string> {
  const run = await stage.run(moons(world))
  const honest = run.exitCode === 1 && failureOf(run)?.['code'] === 'invalid_response'
  stage.advise(!honest, `the client says that it does not recognise ${what}`)
  stage.demand(run.exitCode === 0, `the client failed, with the exit code ${run.exitCode}`)
  return valuesOf(run, 'id').join()
}

/** Lists two moons, unless the limit is above 3. */
const smallLimits: Script = ({ query }) =>
  Number(query.get('limit') ?? 0) > 3
    ? refusal(422, 'limit_too_large')
    : { json: { entities: [moon('a'), moon('b')], total: 2 } }

/** Removes the members with standard names from a document that uses other names. */
const UNNAMED = { entityTypes: undefined, actions: undefined }

/** Client scenarios: foreign worlds with other member names. Ordered by rule. */
export const foreignScenarios = [
  scenario('L1-service-8.b', 'a document whose types and actions are plain strings can be read', (stage) =>
    expectReadable(stage, { entityTypes: ['sol:moon'], actions: ['wp:discover'] }),
  ).also('D7-9'),
  scenario('L1-service-8.c', 'a document whose types and actions are maps can be read', (stage) =>
    expectReadable(stage, { entityTypes: { 'sol:moon': {} }, actions: { 'wp:discover': {} } }),
  ).also('D7-9'),
  scenario('L1-service-8.d', 'a document that has types and actions under other names can be read', (stage) =>
    expectReadable(stage, { ...UNNAMED, kinds: { sol: ['moon'] }, can: { wp: ['discover'] } }),
  ).also('D7-9'),
  scenario('L1-service-8.e', 'two worlds, one after the other, share nothing', async (stage) => {
    const first = await stage.world({ api: '/one/v1', entity: () => ({ json: moon('first') }) })
    const second = await stage.world({ api: '/two/v2', entity: () => ({ json: moon('second') }) })
    for (const world of [first, second, first]) {
      const { id } = await stage.object(europa(world))
      const own = id === (world === first ? 'first' : 'second')
      stage.demand(own, `the entity of another world was printed: ${id}`)
    }
    const strayed = apiRequests(second).find(({ path }) => !path.startsWith('/two/v2/'))
    stage.demand(strayed === undefined, `the second world was asked for ${strayed?.target}`)
  }),
  scenario(
    'L1-service-8.f',
    'a world that refuses large limits is listed, or the refusal is an error',
    async (stage) => {
      const run = await stage.run(moons(await stage.world({ list: smallLimits })))
      if (valuesOf(run, 'id').join() === 'a,b') return
      stage.anyFailure(run, 422)
      stage.advise(false, 'the client insists on a limit of its own choice')
    },
  ),
  scenario('D7-10.a', 'a world that refuses large limits is listed', async (stage) =>
    stage.expectIds(moons(await stage.world({ list: smallLimits })), 'a,b'),
  ),
  scenario(
    'L1-service-8.g',
    'entities that name neither their type nor their id are read like any other',
    async (stage) => {
      const nameless = (title: string) => ({ title, radius: 3 })
      const world = await stage.world({
        entity: () => ({ json: nameless('Europa') }),
        list: () => ({ json: { entities: ['Io', 'Europa', 'Ganymede'].map(nameless), total: 3 } }),
      })
      const got = await stage.object(europa(world))
      stage.demand(got['title'] === 'Europa', 'the entity was printed without its title')
      const titles = valuesOf(await stage.succeed(moons(world)), 'title').join()
      stage.demand(titles === 'Io,Europa,Ganymede', `the titles printed are ${titles || 'none'}`)
    },
  ).also('D7-7'),
  scenario('L1-endpoints-6.b', 'a success without a body fails: there is no result in it', async (stage) => {
    const world = await stage.world({ entity: () => ({ status: 204 }) })
    const run = await stage.run(europa(world))
    stage.demand(run.exitCode !== 0 && resultsOf(run).length === 0, 'the client took it for an entity')
    stage.anyFailure(run)
  }).also('D5-50'),
  ...(['close', 'chunked'] as const).map((framing, index) =>
    scenario(
      `L1-endpoints-6.${'cd'[index]}`,
      framing === 'close'
        ? 'an answer that ends with its connection is read to its end'
        : 'an answer that comes in chunks is read to its end',
      async (stage) => {
        const reply: Reply = { json: { ...moon('europa'), text: 'ice '.repeat(5_000) }, framing }
        const world = await stage.world({ entity: () => reply })
        const got = await stage.object(europa(world))
        stage.demand(String(got['text']).length === 20_000, 'the end of the entity is missing')
      },
    ),
  ),
  scenario('D7-2.c', 'entities are found in a bare array, and further inside an answer', async (stage) => {
    await expectListed(stage, [moon('a'), moon('b')], 'a,b')
    await expectListed(stage, { page: { data: [moon('a')], size: 20 } }, 'a')
    await expectListed(stage, { data: { items: [moon('a')] } }, 'a')
  }),
  scenario(
    'D7-3.b',
    'the next cursor is found in nextPageToken, next_page_token, after and continuationToken too',
    async (stage) => {
      for (const name of ['nextPageToken', 'next_page_token', 'after', 'continuationToken'])
        await expectBoth(stage, name, undefined)
    },
  ),
  scenario('D7-5.a', 'a walk ends at a cursor that is absent, null, empty or false', async (stage) => {
    for (const end of [undefined, null, '', false]) await expectBoth(stage, 'nextCursor', end)
  }),
  scenario(
    'D7-6.a',
    'where a list has more and no cursor is recognised, the walk fails with invalid_response',
    async (stage) => {
      const list: Script = () => ({ json: { entities: [moon('a')], zyx: 'c1', total: 3 } })
      const world = await stage.world({ list })
      const { details } = await stage.fail(moons(world), ['invalid_response'])
      stage.demand(JSON.stringify(details)?.includes('zyx'), 'details do not name the members it saw')
    },
  ).also('D5-52'),
]
