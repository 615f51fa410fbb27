/** Proofs that every check of decisions 5 can fail. */
import {
  answers,
  asks,
  edit,
  editIn,
  empty,
  error,
  header,
  type Kind,
  type Proof,
  type Proofs,
  swap,
} from '../breakages.ts'

const head: Kind = ({ method }) => method === 'HEAD'
const done = {
  action: 'wp:discover',
  output: { entities: [], limit: 4, total: 0, counts: {}, truncated: false, matched: [] },
}

/** Changes a detail of an error. */
function detail(code: string, name: string): Proof {
  return editIn(error(code), 'details', (details) => {
    details[name] = 'other'
  })
}

/** For each check, a world broken so that exactly this check must notice. */
export const errorProofs: Proofs = {
  'D5-2.a': edit(error(), (body) => {
    body['error'] = { code: body['code'], message: body['message'] }
    delete body['code']
  }),
  'D5-3.a': header(error(), 'content-type', 'application/problem+json'),
  'D5-4.a': edit(error('not_found'), (body) => {
    body['details'] = null
  }),
  'D5-5.a': edit(error(), (body) => delete body['requestId']),
  'D5-6.a': swap(error(), '"in":"query"', '"in":"url"'),
  'D5-7.a': swap(error(), '"pointer"', '"path"'),
  'D5-8.a': swap(error(), 'not_integer', 'bad'),
  'D5-9.a': editIn(error('invalid_input'), 'details', (details) => {
    details['fields'] = (details['fields'] as unknown[]).slice(0, 1)
  }),
  'D5-10.a': header(error(), 'cache-control'),
  'D5-11.a': header(error(), 'access-control-expose-headers', 'ETag'),
  'D5-12.a': header(error(), 'world-error-code'),
  'D5-12.b': header(head, 'world-error-code'),
  'D5-13.a': empty(error('invalid_request')),
  'D5-18.a': detail('invalid_json', 'at'),
  'D5-20.a': {
    setup: { token: 'secret' },
    options: { token: 'secret' },
    ...header(error('unauthenticated'), 'www-authenticate'),
  },
  'D5-22.a': detail('not_found', 'path'),
  'D5-24.a': detail('entity_not_found', 'id'),
  'D5-26.a': header(error('method_not_allowed'), 'allow', 'POST'),
  'D5-26.b': header(error('method_not_allowed'), 'allow', 'GET, HEAD'),
  'D5-28.a': answers(error('unsupported_media_type'), 200, done),
  'D5-29.a': empty(error('request_timeout')),
  'D5-32.a': answers(error('payload_too_large'), 400),
  'D5-32.b': answers(error('payload_too_large'), 400),
  'D5-33.a': answers(error('uri_too_long'), 400),
  'D5-34.a': empty(error('headers_too_large')),
  'D5-35.a': empty(error('expectation_failed')),
  'D5-35.b': { broken: { noContinue: true } },
  'D5-36.a': empty(error('not_implemented')),
  'D5-42.a': empty(error('invalid_request')),
  'D5-42.b': empty(error('invalid_request')),
  'D5-42.c': empty(error('invalid_request')),
  'D5-42.d': empty(error('method_not_allowed')),
  'D5-43.a': answers(({ headers }) => headers['upgrade'] !== undefined, 426),
  'D6-20.b': answers(({ headers }) => /charset/.test(headers['content-type'] ?? ''), 415),
  'D6-21.a': asks(({ headers }) => delete headers['content-encoding']),
}
