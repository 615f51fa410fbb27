/** Proofs that every check of decisions 9 can fail. */
import {
  action,
  answers,
  asking,
  type Body,
  discovery,
  edit,
  editIn,
  error,
  type Kind,
  type Proof,
  type Proofs,
  page,
  swap,
} from '../breakages.ts'

let calls = 0

const nothing = { action: 'worldwright:query', output: { entities: [], limit: 50, total: 0, counts: {} } }

const query: Kind = (asked, told) => action(asked, told) && asked.path.endsWith('query')

/** Accepts an invalid query. */
const takesAnything = answers((asked, told) => query(asked, told) && told.status === 400, 200, nothing)

/** Finds nothing if a query contains this text. */
function loses(part: string | RegExp): Proof {
  return answers(asking(part, query), 200, nothing)
}

/** Changes the output of answers to queries that contain this text. */
function output(change: (output: Body) => void, part: string | RegExp = ''): Proof {
  return editIn(asking(part, query), 'output', change)
}

/** Changes the extension. */
function extension(change: (extension: Body) => void): Proof {
  return edit(discovery, (body) =>
    change((body['extensions'] as Record<string, Body>)['worldwright:query'] ?? {}),
  )
}

/** For each check, a world broken so that exactly this check must notice. */
export const queryProofs: Proofs = {
  'D9-1.a': extension((body) => delete body['operators']),
  'D9-1.b': extension((body) => {
    body['limits'] = { conditions: 9 }
  }),
  'D9-1.c': extension((body) => {
    body['limits'] = { depth: 2 }
  }),
  'D9-2.a': swap(query, '/input/sort/0', '/input/sort'),
  'D9-3.a': swap(query, '"height",', ''),
  'D9-4.a': swap(query, 'not_allowed: s_within', 'not_allowed'),
  'D9-5.a': loses('"title"'),
  'D9-5.b': loses('even'),
  'D9-6.a': loses(/"not".*"<="/),
  'D9-7.a': loses('"<"'),
  'D9-7.b': loses('+02:00'),
  'D9-7.c': loses('distance'),
  'D9-8.a': loses('"entity"'),
  'D9-9.a': loses('%"'),
  'D9-9.b': takesAnything,
  'D9-10.a': output((body) => (body['entities'] as unknown[]).reverse()),
  'D9-11.a': answers(error('invalid_cursor'), 200, nothing),
  'D9-11.b': answers(asking(/fields.*cursor/, query), 400, { code: 'invalid_cursor', message: 'Other.' }),
  'D9-12.a': output((body) => {
    const entities = body['entities'] as unknown[]
    body['entities'] = [...entities, entities[0]]
  }),
  'D9-13.a': output((body) => {
    body['total'] = 1
  }, 'cursor'),
  'D9-14.a': output((body) => {
    for (const entity of body['entities'] as Body[]) entity['createdAt'] = '2026-03-01T09:00:00Z'
  }),
  'D9-14.b': output((body) => delete body['missing']),
  'D9-15.a': output((body) => delete body['unindexed']),
  'D9-16.a': edit(page, (body) => {
    calls += 1
    body['total'] = calls
  }),
  'D9-17.a': output((body) => {
    const own = { type: 'ref:river', id: 'caf\u00e9' }
    body['entities'] = [...(body['entities'] as unknown[]), own]
  }),
  'D9-17.b': answers(error('entity_not_found'), 200, nothing),
  'D9-18.a': output((body) => {
    const [group] = (body['groups'] ?? []) as { measures: number[] }[]
    if (group && body['moreGroups'] === undefined) group.measures[1] = (group.measures[1] ?? 0) + 1
  }, '"group"'),
  'D9-19.a': output((body) => delete body['moreGroups'], 'groupLimit'),
}
