/** Proofs that every check of Level 1 can fail, or warn. */
import {
  action,
  answers,
  asking,
  counting,
  discovery,
  edit,
  entity,
  error,
  header,
  input,
  type Kind,
  list,
  type Proof,
  type Proofs,
  page,
  page200,
  path,
  query,
  swap,
  text,
} from '../breakages.ts'
import { entries } from '../dialect-breakages.ts'
import { referenceEntities } from '../reference-data.ts'

/** Removes the message from errors of this kind. */
function mute(code: string, kind = error(code)): Proof {
  return edit(kind, (body) => delete body['message'])
}

/** A world with an entity of this id that cannot be found at its address. */
function lost(id: string): Proof {
  const [first, ...others] = referenceEntities().filter(({ type }) => type === 'ref:tree')
  const odd = { type: 'ref:tree', id, title: 'An odd tree', attributes: {} }
  return {
    ...tree,
    setup: { entities: [...(first ? [first] : []), odd, ...others] },
    ...answers((asked) => asked.path.endsWith(`/${encodeURIComponent(id)}`), 404),
  }
}

/** Successful answers with the document. */
const document: Kind = (asked, told) => discovery(asked, told) && told.status === 200

const tree = { options: { profile: 'level-1', type: 'ref:tree' } } as const

/** For each check, a world broken so that exactly this check must notice. */
export const levelOneProofs: Proofs = {
  'L1-routes-1.a': answers(discovery, 404),
  'L1-discovery-1.a': swap(discovery, '"world/0.1"', '1'),
  'L1-discovery-2.a': swap(discovery, 'world/0.1', 'world/0.2'),
  'L1-discovery-3.a': text(discovery, (json) => json.replace(/"api":"[^"]*"/, '"api":"/there/v0"')),
  'L1-discovery-4.a': page200((asked) => asked.path.startsWith('/there/')),
  'L1-discovery-6.a': edit(discovery, (body) => {
    delete body['world']
  }),
  'L1-discovery-6.b': counting((body, count) => {
    body['world'] = { id: `urn:example:${count}` }
  }),
  // Any remaining list could be that of the types, under another name.
  'L1-discovery-7.a': edit(discovery, (body) => {
    delete body['entityTypes']
    delete body['extensions']
  }),
  'L1-discovery-7.b': edit(document, (body) => {
    body['entityTypes'] = [...(body['entityTypes'] as unknown[]), { type: 'ref:lake' }]
  }),
  'L1-discovery-8.a': swap(discovery, 'wp:discover', 'find'),
  'L1-entity-2.a': edit(document, (body) => {
    body['entityTypes'] = [...(body['entityTypes'] as unknown[]), { type: 'lake' }]
  }),
  'L1-endpoints-6.a': header(page, 'content-type', 'text/html'),
  'L1-endpoints-6.b': header(error(), 'content-type', 'text/plain'),
  'L1-routes-2.a': answers(list, 404),
  'L1-routes-2.b': text(page, () => 'null'),
  'L1-routes-2.c': entries((entities) =>
    entities.map((one, at) => (at === 1 ? { ...one, type: 'ref:cloud' } : one)),
  ),
  'L1-routes-2.d': { ...tree, ...entries((entities) => [...entities, null as never], asking(/^\n/, page)) },
  'L1-routes-2.e': entries((entities) => [...entities.slice(0, 1), ...entities], asking(/^\n/, page)),
  'L1-routes-2.f': path('conformance%3Ano-such-type', 'ref%3Atree'),
  'L1-routes-3.a': {
    ...tree,
    ...edit(entity, (body) => {
      if (body['code'] !== undefined) return
      body['entities'] = ['amber-0', 'birch-1', 'cedar-2'].map((id) => ({ type: 'ref:tree', id }))
      for (const name of Object.keys(body)) if (name !== 'entities') delete body[name]
    }),
  },
  'L1-routes-3.b': { ...tree, ...swap(entity, '"type":"ref:tree"', '"type":"ref:river"') },
  'L1-routes-3.c': answers((asked) => asked.path.endsWith('7f3a9c'), 200, {}),
  'L1-routes-3.d': edit(entity, (body) => {
    for (const name of ['title', 'createdAt', 'revision']) body[name] = 'another'
    body['attributes'] = {}
  }),
  'L1-entity-4.a': answers((asked) => asked.path.endsWith('birch-1'), 404),
  'L1-endpoints-2.a': { ...tree, ...path(/%(?!3A)/g, '%25') },
  'L1-endpoints-2.b': path('/conformance', ''),
  'L1-endpoints-2.c': lost('a/b'),
  'L1-endpoints-2.d': lost('a b+c'),
  'L1-endpoints-2.e': lost('100%'),
  'L1-endpoints-2.f': lost('a?b#c'),
  'L1-endpoints-2.g': lost('\u65e5\u672c'),
  'L1-endpoints-2.h': { ...tree, ...path(/%25(?!3A)/g, '%') },
  'L1-endpoints-2.i': path('%253A', '%3A'),
  'L1-endpoints-5.a': { ...tree, ...query('limit=1', 'limit=3') },
  'L1-endpoints-5.b': { warns: true, ...answers(asking('limit=0'), 400) },
  'L1-endpoints-5.c': { ...tree, ...query('limit=2', 'limit=3') },
  'L1-endpoints-5.d': { ...tree, ...entries(() => [], asking(/^limit=1\n/, page)) },
  'L1-endpoints-5.e': {
    ...tree,
    ...entries((entities) => entities.slice(1), asking(/limit=2&cursor/, page)),
  },
  'L1-routes-6.a': { ...tree, ...query(/&cursor=.*/, '') },
  'L1-routes-6.b': {
    ...tree,
    ...edit(asking('cursor=', page), (body) => {
      body['nextCursor'] ??= 'd0Qd6y49YW1iZXItMA'
    }),
  },
  'L1-routes-6.c': {
    ...tree,
    ...entries(
      (entities) => [{ type: 'ref:tree', id: 'amber-0', attributes: {} }, ...entities],
      asking('cursor=', page),
    ),
  },
  'L1-routes-6.d': {
    ...tree,
    ...counting(
      (body, count) => {
        if (count % 2 === 0) (body['entities'] as unknown[]).shift()
      },
      asking('cursor=', page),
    ),
  },
  'L1-routes-6.e': { ...tree, ...answers(asking(/cursor=%/), 400) },
  'L1-routes-6.f': {
    ...tree,
    warns: true,
    ...edit(page, (body) => {
      body['nextCursor'] ??= ''
    }),
  },
  'L1-routes-4.a': answers(action, 500),
  'L1-routes-4.b': text(action, (json) => (json.includes('"code"') ? json : 'null')),
  'L1-routes-4.c': entries((entities) => [...entities.slice(0, 1), ...entities], action),
  'L1-discover-2.a': answers(asking('"types"'), 400),
  'L1-discover-2.b': input('"types":', '"kinds":'),
  'L1-discover-2.c': input('["conformance:no-such-type"]', '[]'),
  'L1-discover-3.a': answers(asking('"text"'), 400),
  'L1-discover-3.b': input('"text":', '"words":'),
  'L1-discover-3.c': { warns: true, ...entries(() => [], asking('"text"', action)) },
  'L1-discover-4.a': input('"limit":1', '"limit":3'),
  'L1-discover-4.b': input('"limit":2', '"limit":3'),
  'L1-discover-6.a': answers(asking('{"input":{"text":"a","limit"'), 400),
  'L1-discover-6.b': answers(asking('"],"limit"'), 400),
  'L1-discover-6.c': answers(asking('"text":"a"}'), 400),
  'L1-service-3.a': entries(
    (entities) => entities.map((one) => ({ ...one, id: `lost-${one['id']}` })),
    action,
  ),
  'L1-errors-1.a': mute('entity_not_found'),
  'L1-errors-1.b': mute('unknown_type'),
  'L1-errors-1.c': mute('not_found', (asked) => asked.path.endsWith('no-such-route')),
  'L1-errors-1.d': mute('', (asked) => asked.path.includes('/actions/') && asked.method === 'GET'),
  'L1-errors-1.e': mute('unknown_action'),
  'L1-errors-1.f': mute('', asking(/\{"input":$/)),
  'L1-errors-1.g': mute('', asking('limit=many')),
  'L1-errors-1.h': counting((body, count) => {
    body['code'] = `code_${count}`
  }, error('entity_not_found')),
  'L1-errors-1.i': mute('', (asked) => asked.path === '/conformance-no-such-page'),
  'L1-errors-1.j': mute('', (asked) => asked.method === 'DELETE'),
  'L1-errors-1.k': mute('invalid_cursor'),
  'L1-errors-1.l': mute('', asking('limit=-1')),
  'L1-errors-1.m': mute('unsupported_media_type'),
  'L1-errors-1.n': mute('', asking('{"input":5}')),
  'L1-errors-1.o': mute('', asking('"moon"')),
  'L1-errors-1.p': mute(
    '',
    (asked, told) => action(asked, told) && asked.method === 'POST' && asked.body.length === 0,
  ),
  'L1-errors-1.q': answers(asking('limit=-1'), 500),
  'L1-errors-1.r': {
    base: answers(asking('limit=99999999999999999999'), 400).broken,
    ...answers(asking('limit=99999999999999999999'), 400, { message: 'No.' }),
  },
  'L1-errors-1.s': mute('', asking(/cursor=\n/)),
  'L1-errors-1.t': { ...tree, ...mute('', (asked) => asked.path.endsWith('/conformance')) },
  'L1-errors-1.u': mute('', asking(/\n\{\}$/)),
  'L1-discovery-7.c': edit(document, (body) => {
    body['entityTypes'] = (body['entityTypes'] as { type: string }[]).filter(
      ({ type }) => type !== 'ref:river',
    )
  }),
  'L1-endpoints-2.j': path(/(?<=entities\/[^/]*)%3a/, '%253a'),
  'L1-endpoints-2.k': { ...tree, ...path(/(?<=entities\/[^/]+)%2F/, '/') },
  'L1-endpoints-2.l': lost('a&b=c'),
  'L1-endpoints-2.m': { ...tree, warns: true, ...path(/(?<=entities\/[^/]+\/[^/]+)\/$/, '') },
  'L1-endpoints-3.a': path('wp%3adiscover', 'wp%253adiscover'),
  'L1-endpoints-5.f': { ...tree, ...query(/limit=3\b/, 'limit=9') },
  'L1-endpoints-6.c': header(
    (asked) => asked.headers['accept-encoding'] !== undefined,
    'content-encoding',
    'gzip',
  ),
  'L1-endpoints-6.d': text(entity, (json) => json.replace('"title":', '"title":"Another","title":')),
  'L1-entity-3.a': { ...tree, ...path('REF%3ATREE', 'ref%3Atree') },
  'L1-discover-2.e': answers(asking(/"ref:[a-z]+","ref:[a-z]+"\],"text"/, action), 200, {
    action: 'wp:discover',
    output: { entities: [] },
  }),
  'L1-entity-4.c': { ...tree, ...path('amber-0%20', 'amber-0') },
  'L1-discover-3.d': answers(asking('moon AND'), 500),
  'L1-routes-6.g': { ...tree, warns: true, ...query(/(?<=cursor=.*)x$/, '') },
  'L1-service-3.b': { warns: true, ...entries(() => [], asking('{"input":{}}', action)) },
  'L1-entity-4.b': {
    ...tree,
    ...path(/entities\/(ref%3Ariver|conformance%3Ano-such-type)\/amber-0/, 'entities/ref%3Atree/amber-0'),
  },
  'L1-discover-2.d': input('["ref:river","ref:tree"]', '["ref:river"]'),
}
