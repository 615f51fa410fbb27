/** That every check of Level 1 can fail. */
import {
  action,
  answers,
  asking,
  discovery,
  edit,
  entity,
  error,
  input,
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

let calls = 0

/** An error of this kind without its message. */
function mute(code: string): Proof {
  return edit(error(code), (body) => delete body['message'])
}

const named = { options: { profile: 'level-1', type: 'ref:tree', entitiesField: 'entities' } } as const
const paged = { options: { profile: 'level-1', type: 'ref:tree', cursorField: 'nextCursor' } } as const

/** For each check, a world broken so that exactly this check must notice. */
export const levelOneProofs: Proofs = {
  'L1-routes-1.a': answers(discovery, 404),
  'L1-discovery-1.a': swap(discovery, '"world/0.1"', '1'),
  'L1-discovery-2.a': swap(discovery, 'world/0.1', 'world/0.2'),
  'L1-discovery-3.a': text(discovery, (json) => json.replace(/"api":"[^"]*"/, '"api":"/there/v0"')),
  'L1-discovery-4.a': page200(action),
  'L1-discovery-6.a': edit(discovery, (body) => {
    for (const name of Object.keys(body)) if (!['protocol', 'endpoints'].includes(name)) delete body[name]
  }),
  'L1-discovery-7.a': { ...named, ...swap(discovery, 'ref:tree', 'tree') },
  'L1-discovery-8.a': swap(discovery, 'wp:discover', 'find'),
  'L1-entity-2.a': swap(discovery, 'ref:', 'ref-'),
  'L1-endpoints-6.a': page200(list),
  'L1-routes-2.a': answers(list, 404),
  'L1-routes-2.b': { ...named, ...swap(page, '"entities"', '"things"') },
  'L1-routes-3.a': answers(entity, 500),
  'L1-endpoints-2.a': { options: { type: 'ref:tree' }, ...path(/%(?!3A)/g, '%25') },
  'L1-endpoints-2.b': path('/conformance', ''),
  'L1-endpoints-5.a': { ...named, ...query('limit=1', 'limit=3') },
  'L1-endpoints-5.b': answers(asking('limit=0'), 400),
  'L1-routes-6.a': { ...paged, ...query(/&cursor=.*/, '') },
  'L1-routes-4.a': answers(action, 500),
  'L1-discover-2.a': answers(asking('"types"'), 400),
  'L1-discover-3.a': answers(asking('"text"'), 400),
  'L1-discover-4.a': { ...named, ...input('"limit":1', '"limit":3') },
  'L1-errors-1.a': mute('entity_not_found'),
  'L1-errors-1.b': mute('unknown_type'),
  'L1-errors-1.c': mute('not_found'),
  'L1-errors-1.d': mute('method_not_allowed'),
  'L1-errors-1.e': mute('unknown_action'),
  'L1-errors-1.f': mute('invalid_json'),
  'L1-errors-1.g': mute('invalid_parameter'),
  'L1-errors-1.h': edit(error(), (body) => {
    calls += 1
    body['code'] = `code_${calls}`
  }),
}
