/** Proofs that every check of decisions 1 and 2 can fail. */
import {
  action,
  answers,
  asking,
  asks,
  discovery,
  edit,
  editIn,
  entity,
  error,
  header,
  list,
  type Proof,
  type Proofs,
  page,
  path,
  swap,
  text,
} from '../breakages.ts'

let calls = 0
const river = '"type":"ref:river"'

/** Shows a header of the request in the document. */
const forgeable = text(discovery, (json, { headers }) =>
  json.replace('"Reference"', JSON.stringify(headers['x-forwarded-host'] ?? headers['host'])),
)
const personal = header(discovery, 'cache-control', 'private, no-store')

/** Accepts invalid ids. */
const takesAnyId = answers(error('invalid_id'), 404, {
  code: 'entity_not_found',
  message: 'None.',
  details: {},
})
const takesAnyType = answers(error('invalid_type'), 404, {
  code: 'unknown_type',
  message: 'None.',
  details: {},
})

function inExtensions(key: string): Proof {
  return {
    setup: { document: (document) => (document['extensions'] = { 'worldwright:x': {} }) },
    ...swap(discovery, 'worldwright:x', key),
  }
}

/** For each check, a world broken so that exactly this check must notice. */
export const worldProofs: Proofs = {
  'D1-1.a': swap(discovery, '/there/v0', '/there/api'),
  'D1-2.a': swap(discovery, '/there/v0', '/there/v0/'),
  'D1-14.a': forgeable,
  'D1-15.a': {
    ...forgeable,
    base: {
      told(told, asked) {
        forgeable.broken.told?.(told, asked)
        personal.broken.told?.(told, asked)
      },
    },
  },
  'D1-16.a': edit(page, (body, { headers }) => {
    body['self'] = `http://${headers['host']}/`
  }),
  'D1-18.a': {
    setup: { retiredPath: '/old/v0' },
    options: { retiredPrefix: '/old/v0/' },
    ...answers(error('api_moved'), 404),
  },
  'D1-25.a': edit(discovery, (body) => delete body['authentication']),
  'D1-25.b': swap(discovery, '"max":10', '"max":1'),
  'D1-26.a': swap(discovery, 'urn:example:reference', 'reference'),
  'D1-32.a': edit(discovery, (body) => (body['entityTypes'] as unknown[]).reverse()),
  'D1-33.a': swap(discovery, 'draft/2020-12', 'draft-07'),
  'D1-33.b': swap(entity, '"length":1', '"length":"short"'),
  'D1-34.a': swap(discovery, '["entities","total"]', '["nothing"]'),
  'D1-35.a': answers((asked, told) => list(asked, told) && asked.path.includes('tree'), 404),
  'D1-36.a': answers((asked, told) => entity(asked, told) && told.status === 404, 404),
  'D1-37.a': swap(discovery, '"schemes":[]', '"schemes":null'),
  'D1-38.a': edit(discovery, (body) => {
    calls += 1
    body['revision'] = `r${calls}`
  }),
  'D1-39.a': inExtensions('x'),
  'D2-1.a': swap(entity, river, '"type":"ref:tree"'),
  'D2-1.b': swap(page, river, '"type":"ref:tree"'),
  'D2-2.a': swap(page, river, `${river},"summary":null`),
  'D2-3.a': swap(page, river, `${river},"color":"blue"`),
  'D2-4.a': swap(page, '09:00:00Z', '09:00:00+02:00'),
  'D2-7.a': swap(page, '"length":1', '"length":9007199254740993'),
  'D2-8.a': swap(page, '"length":1', '"length":1,"length":1'),
  'D2-9.a': swap(page, '"length":1', '"length":"\\ud800"'),
  'D2-10.a': swap(page, '"length":1', `"length":"${'x'.repeat(300_000)}"`),
  'D2-13.a': swap(page, '"revision":"', '"revision":"A'),
  'D2-14.a': swap(entity, '"length":1', '"length":9'),
  'D2-16.a': takesAnyType,
  'D2-16.b': swap(discovery, 'ref:cloud', 'Ref:cloud'),
  'D2-17.a': path('River', 'river'),
  'D2-18.a': takesAnyType,
  'D2-18.b': answers((asked) => asked.path.length > 130, 400),
  'D2-19.a': takesAnyType,
  'D2-20.a': takesAnyType,
  'D2-21.a': swap(discovery, 'ref:cloud', 'wp:cloud'),
  'D2-22.a': swap(page, '"id":"caf', '"id":" caf'),
  'D2-22.b': takesAnyId,
  'D2-23.a': takesAnyId,
  'D2-24.a': takesAnyId,
  'D2-25.a': takesAnyId,
  'D2-26.a': editIn(error('entity_not_found'), 'details', (details) => {
    details['id'] = String(details['id']).toLowerCase().replace('%2f', '/')
  }),
  'D2-29.a': answers((asked) => asked.path.includes('%CC'), 404),
  'D2-31.a': answers((asked, told) => list(asked, told) && asked.path.includes('%3a'), 404),
  'D2-31.b': answers((asked, told) => action(asked, told) && asked.path.includes(':'), 404),
  'D2-32.a': asks((asked) => {
    asked.path = new URL(asked.path, 'http://x').pathname
  }),
  'D2-32.b': path('%25', '%'),
  'D2-33.a': answers(error('invalid_request'), 404),
  'D2-34.a': path(/\/$/, ''),
  'D6-20.a': header(asking('', discovery), 'content-type', 'text/json'),
}
