import { sameJson } from '../json/json.ts'
import { resultsOf } from './run-client.ts'
import { apiRequests, europa, linked, moons, normalForm, type Stage, scenario } from './stage.ts'

/** Valid ids that need escaping in a path. One of them looks as if it were already escaped. */
const ODD_IDS = ['a/b', '100%', '%2F', 'a?b#c', 'a b+c', '日本語', '👩‍🚀', '..a', "O'Neil;,&=$@!*()"]

/** Names that a careless client sends in another spelling: other letter case, white space or Unicode form. */
const EXACT_IDS = ['Europa', ' a', 'a ', 'e\u0301', '\u00e9', '\ufb01']

/** JSON of an entity with members that a careless parser would lose. */
const ODD_ENTITY =
  '{"type":"sol:moon","id":"europa","attributes":{"__proto__":{"a":1},"constructor":"x","none":null,"deep":[[]]},"x-other":{"y":[null,1.5]}}'

/** Has the client get an entity by each id. Fails unless the client refuses each one without a request to the API. */
async function expectRefused(stage: Stage, ids: readonly string[]): Promise<void> {
  const world = await stage.world()
  for (const id of ids) await stage.fail(['get', world.origin, 'sol:moon', id], ['invalid_argument'])
  stage.demand(apiRequests(world).length === 0, 'a request was sent to the API')
}

/** Client scenarios: requests for entities under Level 1, which the client returns unchanged. Ordered by rule. */
export const entityScenarios = [
  scenario('L1-endpoints-2.a', 'the colon of a type is written %3A in a path', async (stage) => {
    const world = await stage.world({ list: linked(1, 1) })
    await stage.succeed(europa(world))
    await stage.succeed([...moons(world), '--limit', '1'])
    for (const { path } of apiRequests(world)) {
      stage.demand(/\/entities\/sol%3amoon/i.test(path), `the path is ${path}`)
      stage.advise(!path.includes('%3a'), `%3a stands for %3A in ${path}`)
    }
  }).also('D2-30', 'L1-entity-3'),
  scenario(
    'L1-endpoints-2.b',
    'an id is one path component, percent-encoded once, whatever it contains',
    async (stage) => {
      const world = await stage.world()
      for (const id of ODD_IDS) {
        await stage.succeed(['get', world.origin, 'sol:moon', id])
        const { path = '' } = apiRequests(world).at(-1) ?? {}
        const components = path.split('/')
        const right = components.length === 7 && decodeURIComponent(components[6] ?? '') === id
        stage.demand(right, `${JSON.stringify(id)} became ${path}`)
      }
    },
  ).also('L1-entity-4', 'D2-26'),
  scenario('L1-endpoints-2.c', 'an id that looks like a number stays the text it is', async (stage) => {
    const world = await stage.world()
    for (const id of ['007', '1e3', '0x10']) {
      await stage.succeed(['get', world.origin, 'sol:moon', id])
      const { path } = apiRequests(world).at(-1) ?? {}
      stage.demand(path?.endsWith(`/${id}`), `${id} became ${path}`)
    }
  }).also('L1-entity-4'),
  scenario(
    'L1-endpoints-2.d',
    'a type and an id go out as they are: letter case, white space and Unicode form stay',
    async (stage) => {
      const world = await stage.world()
      const calls = EXACT_IDS.map((id) => ['get', world.origin, 'sol:moon', id])
      for (const args of [...calls, ['list', world.origin, 'sol:dwarfPlanet']]) {
        const before = apiRequests(world).length
        const run = await stage.run(args)
        const [sent, ...others] = apiRequests(world).slice(before)
        // A client may refuse names that Level 1 does not define.
        if (sent === undefined) stage.anyFailure(run)
        if (sent === undefined) continue
        const path = `/api/world/v0/entities/${args.slice(2).map(encodeURIComponent).join('/')}`
        const right = others.length === 0 && normalForm(sent.path) === path
        stage.demand(right, `${JSON.stringify(args.at(-1))} became ${sent.path}`)
      }
    },
  ).also('L1-entity-3', 'L1-entity-4'),
  scenario(
    'D2-25.a',
    'an id with a segment . or .. is refused with invalid_argument before anything is sent',
    (stage) => expectRefused(stage, ['..', '.', 'a/../b', 'a\\..']),
  ),
  scenario('D2-22.a', 'an empty id is refused with invalid_argument, it is never the list', (stage) =>
    expectRefused(stage, ['']),
  ),
  scenario('D2-23.a', 'an id with a control character is refused with invalid_argument', (stage) =>
    expectRefused(stage, ['a\u0007b', 'a\nb']),
  ),
  scenario('D2-17.a', 'the letter case of a type stays as it is', async (stage) => {
    const world = await stage.world()
    await stage.succeed(['list', world.origin, 'sol:dwarfPlanet'])
    const { path } = apiRequests(world)[0] ?? {}
    stage.demand(normalForm(path ?? '').endsWith('/entities/sol%3AdwarfPlanet'), `the path is ${path}`)
  }),
  scenario(
    'D7-1.a',
    'an entity is printed as it came, with unknown members and with keys such as __proto__',
    async (stage) => {
      const world = await stage.world({
        entity: () => ({ text: ODD_ENTITY, headers: { 'content-type': 'application/json' } }),
      })
      const run = await stage.succeed(europa(world))
      const [printed] = resultsOf(run)
      stage.demand(sameJson(printed, JSON.parse(ODD_ENTITY)), `it was printed as ${JSON.stringify(printed)}`)
    },
  ).also('D2-11'),
]
